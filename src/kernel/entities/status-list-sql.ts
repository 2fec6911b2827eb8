export function statusListSql(statuses: readonly string[]): string {
  return statuses.map((status) => `'${status}'`).join(', ');
}
