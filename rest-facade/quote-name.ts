/** Truncates a name from the client, and quotes and escapes it for an error message. */
export function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
