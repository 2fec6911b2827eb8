import type { ContractSeries, TableContract } from './table-contract.js';

type SensitiveColumns = Pick<TableContract, 'sensitiveColumns'>;

/** Whether no key of a row may be shown. */
export function hasSensitiveKey({
  primaryKey,
  sensitiveColumns,
}: SensitiveColumns & Pick<TableContract, 'primaryKey'>): boolean {
  return primaryKey.some((name) => sensitiveColumns.includes(name));
}

/** Whether points of a series would show sensitive values: the mean of one row is its value. */
export function revealsSensitiveValues(
  { kind, column }: ContractSeries,
  { sensitiveColumns }: SensitiveColumns,
): boolean {
  return kind === 'COLUMN_MEAN' && column !== undefined && sensitiveColumns.includes(column);
}
