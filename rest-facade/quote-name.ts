export function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
