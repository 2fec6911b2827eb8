import { AppError } from '../../kernel/errors.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { findCatalogTable } from '../../tables/existing-table.js';
import { TableContract } from './table-contract.js';

/** A contract of a table in the workspace catalog. Throws NOT_FOUND where there is none, or its table is not there, or not any more. */
export async function readContract(read: Reader, id: string): Promise<Lean<TableContract>> {
  const contract = await read.byId(TableContract, id);
  if (!contract || !(await findCatalogTable(read, contract.table)))
    throw new AppError('NOT_FOUND', 'There is no contract of that id in the workspace catalog.');
  return contract;
}
