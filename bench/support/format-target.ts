export function formatTarget(isMet: boolean, target: string): string {
  return `${isMet ? 'met    ' : 'NOT MET'}  ${target}`;
}
