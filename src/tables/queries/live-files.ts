import { decodeId } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { type PageArgs, type PageOf, readPage } from '../../kernel/reading/paging.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { TableFile, type TableFileKind } from '../table-file.js';

const IS_LIVE = `state = 'live'`;
const OF_TABLE = `table_id = $1 and ${IS_LIVE}`;

/** Current files of a table, newest first. */
export function readLiveFiles(
  read: Reader,
  tableId: string,
  page: PageArgs,
  list: ListSelection,
): Promise<PageOf<TableFile>> {
  return readPage(read, TableFile, page, list, { where: OF_TABLE, values: [decodeId(tableId)] });
}

/** The newest files of a kind, as many as are needed for `rows` rows. */
export async function findNewestFiles(
  read: Reader,
  tableId: string,
  kind: TableFileKind,
  rows: number,
): Promise<Lean<TableFile>[]> {
  const where = `${OF_TABLE} and kind = $2`;
  const files = await read.select(TableFile, { where, limit: rows }, [decodeId(tableId), kind]);
  let sum = 0;
  const enough = files.findIndex((file) => (sum += file.rows) >= rows);
  return enough < 0 ? files : files.slice(0, enough + 1);
}
