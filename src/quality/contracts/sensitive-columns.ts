import type { ContractSeries, TableContract } from './table-contract.js';

type SensitiveColumns = Pick<TableContract, 'sensitiveColumns'>;

/** Returns whether a column of the primary key is sensitive. Results must then omit the keys of rows. */
export function hasSensitiveKey({
  primaryKey,
  sensitiveColumns,
}: SensitiveColumns & Pick<TableContract, 'primaryKey'>): boolean {
  return primaryKey.some((name) => sensitiveColumns.includes(name));
}

/**
 * A chart must not reveal a value of a sensitive column. For example, the mean of a run with one row is the value
 * itself.
 */
export function revealsSensitiveValues(
  { kind, column }: ContractSeries,
  { sensitiveColumns }: SensitiveColumns,
): boolean {
  return kind === 'COLUMN_MEAN' && column !== undefined && sensitiveColumns.includes(column);
}
