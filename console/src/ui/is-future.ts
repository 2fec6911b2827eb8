export function isFuture(time: string | null | undefined): time is string {
  return time != null && Date.parse(time) > Date.now();
}
