import type { ContractSeries, TableContract } from './table-contract.js';

type SensitiveColumns = Pick<TableContract, 'sensitiveColumns'>;

/** Returns whether results must not contain keys of rows. */
export function hasSensitiveKey({
  primaryKey,
  sensitiveColumns,
}: SensitiveColumns & Pick<TableContract, 'primaryKey'>): boolean {
  return primaryKey.some((name) => sensitiveColumns.includes(name));
}

/** For example, the mean of one row is its value. */
export function revealsSensitiveValues(
  { kind, column }: ContractSeries,
  { sensitiveColumns }: SensitiveColumns,
): boolean {
  return kind === 'COLUMN_MEAN' && column !== undefined && sensitiveColumns.includes(column);
}
