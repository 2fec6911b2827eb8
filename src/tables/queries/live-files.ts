import { decodeId } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { type PageArgs, type PageOf, readPage } from '../../kernel/reading/paging.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { TableFile, type TableFileKind } from '../table-file.js';

const OF_TABLE = `table_id = $1 and state = 'live'`;

/** SQL condition for files that were part of version $2 of a table. */
const OF_VERSION = `
table_id = $1 and coalesce(from_version, 0) <= $2 and (until_version > $2 or (until_version is null and state = 'live'))`;

function filesOf(tableId: string, version: number | undefined): { where: string; values: unknown[] } {
  return version === undefined
    ? { where: OF_TABLE, values: [decodeId(tableId)] }
    : { where: OF_VERSION, values: [decodeId(tableId), version] };
}

/** Returns the files of a table or of one of its versions, newest first. */
export function readTableFiles(
  read: Reader,
  tableId: string,
  version: number | undefined,
  page: PageArgs,
  list: ListSelection,
): Promise<PageOf<TableFile>> {
  return readPage(read, TableFile, page, list, filesOf(tableId, version));
}

interface RowRange {
  readonly kind: TableFileKind;
  readonly limit: number;
  readonly offset: number;
  readonly version?: number | undefined;
}

/**
 * Returns the files that contain the rows of a page, newest file first, and the number of rows to skip in the first
 * file.
 */
export async function findFilesOfRows(
  read: Reader,
  tableId: string,
  { kind, limit, offset, version }: RowRange,
): Promise<{ readonly files: readonly Lean<TableFile>[]; readonly skipped: number }> {
  const { where, values } = filesOf(tableId, version);
  const selection = { where: `${where} and kind = $${values.length + 1} and rows > 0`, limit: offset + limit };
  const files: Lean<TableFile>[] = [];
  let [rowsBefore, skipped] = [0, 0];
  for (const file of await read.select(TableFile, selection, [...values, kind])) {
    if (rowsBefore >= offset + limit) break;
    if (rowsBefore + file.rows > offset) files.push(file);
    if (files.length === 1) skipped = offset - rowsBefore;
    rowsBefore += file.rows;
  }
  return { files, skipped };
}
