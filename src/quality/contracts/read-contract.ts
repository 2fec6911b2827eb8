import { AppError } from '../../kernel/errors.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { findCatalogTable } from '../../tables/existing-table.js';
import { TableContract } from './table-contract.js';

/** Throws NOT_FOUND if the contract does not exist or its table is not in the workspace catalog. */
export async function readContract(read: Reader, id: string): Promise<Lean<TableContract>> {
  const contract = await read.byId(TableContract, id);
  if (!contract || !(await findCatalogTable(read, contract.table))) throw contractNotFound();
  return contract;
}

export function contractNotFound(): AppError {
  return new AppError('NOT_FOUND', 'The contract does not exist in the workspace catalog.');
}
