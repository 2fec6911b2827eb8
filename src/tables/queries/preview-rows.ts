import { AppError } from '../../kernel/errors.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { CatalogTable } from '../catalog-table.js';
import type { TableContext } from '../table-context.js';
import { readTableRows, type TableRow } from './read-table-rows.js';

/** Limit for all requests together. */
const MAX_WAITING_PREVIEWS = 100;

const MAX_PREVIEWS_PER_REQUEST = 20;

const previewCounts = new WeakMap<Reader, number>();

/**
 * Throws BAD_REQUEST if the request previews too many tables, UNAVAILABLE if too many previews wait, and the errors of
 * `readTableRows`.
 */
export async function previewRows(
  { tableServices, read }: TableContext,
  table: Lean<CatalogTable>,
  query: Parameters<typeof readTableRows>[3],
): Promise<TableRow[]> {
  const count = (previewCounts.get(read) ?? 0) + 1;
  if (count > MAX_PREVIEWS_PER_REQUEST)
    throw new AppError('BAD_REQUEST', `A request can preview at most ${MAX_PREVIEWS_PER_REQUEST} tables.`);
  previewCounts.set(read, count);
  if (tableServices.previewSlots.waiting >= MAX_WAITING_PREVIEWS)
    throw new AppError(
      'UNAVAILABLE',
      'The service is already reading rows for as many requests as it can. Try again shortly.',
    );
  return tableServices.previewSlots.run(() => readTableRows(tableServices, read, table, query));
}
