import { AppError } from '../../kernel/errors.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { CatalogTable } from '../catalog-table.js';
import type { TableContext } from '../table-context.js';
import { readTableRows, type TableRow } from './read-table-rows.js';

/** Previews that wait for their turn. */
const MAX_WAITING_PREVIEWS = 100;

/** Those of one request. */
const MAX_PREVIEWS_PER_REQUEST = 20;

const previewCounts = new WeakMap<Reader, number>();

/** Rows of a table, one table after the other. Throws BAD_REQUEST where a request asks for too many, UNAVAILABLE where too many wait. */
export async function previewRows(
  { tableServices: landed, read }: TableContext,
  table: Lean<CatalogTable>,
  question: Parameters<typeof readTableRows>[3],
): Promise<TableRow[]> {
  const count = (previewCounts.get(read) ?? 0) + 1;
  if (count > MAX_PREVIEWS_PER_REQUEST)
    throw new AppError(
      'BAD_REQUEST',
      `The question asks for the rows of more than ${MAX_PREVIEWS_PER_REQUEST} tables.`,
    );
  previewCounts.set(read, count);
  if (landed.previewSlots.waiting >= MAX_WAITING_PREVIEWS)
    throw new AppError('UNAVAILABLE', 'Too many tables are read at the moment; try again shortly.');
  return landed.previewSlots.run(() => readTableRows(landed, read, table, question));
}
