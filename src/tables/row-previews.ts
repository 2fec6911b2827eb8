import { AppError } from '../kernel/errors.js';
import type { Lean, Reader } from '../kernel/reading.js';
import type { CatalogTable } from './catalog-table.js';
import { readTableRows, type TableRow } from './read-table-rows.js';
import type { TableContext } from './table-context.js';

/** Previews that wait for their turn. */
const MOST_WAITING = 100;

/** Those of one request. */
const MOST_OF_REQUEST = 20;

const ofRequests = new WeakMap<Reader, number>();

/** Rows of a table, one table after the other. Throws BAD_REQUEST where a request asks for too many, UNAVAILABLE where too many wait. */
export async function previewRows(
  { landed, read }: TableContext,
  table: Lean<CatalogTable>,
  question: Parameters<typeof readTableRows>[3],
): Promise<TableRow[]> {
  const count = (ofRequests.get(read) ?? 0) + 1;
  if (count > MOST_OF_REQUEST)
    throw new AppError('BAD_REQUEST', `The question asks for the rows of more than ${MOST_OF_REQUEST} tables.`);
  ofRequests.set(read, count);
  if (landed.previews.waiting >= MOST_WAITING)
    throw new AppError('UNAVAILABLE', 'Too many tables are read at the moment; try again shortly.');
  return landed.previews.take(() => readTableRows(landed, read, table, question));
}
