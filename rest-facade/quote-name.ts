/** Truncates and cleans a name from the client for an error message. */
export function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
