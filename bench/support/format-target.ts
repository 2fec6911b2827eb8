/** Returns the line of a report that says whether a target is met. */
export function formatTarget(isMet: boolean, target: string): string {
  return `${isMet ? 'met    ' : 'NOT MET'}  ${target}`;
}
