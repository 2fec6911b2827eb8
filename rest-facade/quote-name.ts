/** A name that the client made up, cut and cleaned before it goes back. */
export function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
