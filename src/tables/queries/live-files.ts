import { decodeId } from '../../kernel/ids.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { TableFile, type TableFileKind } from '../table-file.js';

const IS_LIVE = `state = 'live'`;
const OF_TABLE = `table_id = $1 and ${IS_LIVE}`;

/** Current files of a table, newest first. */
export function listLiveFiles(
  read: Reader,
  tableId: string,
  page: { limit: number; offset: number },
): Promise<Lean<TableFile>[]> {
  return read.select(TableFile, { where: OF_TABLE, ...page }, [decodeId(tableId)]);
}

export function countLiveFiles(read: Reader, tableId: string): Promise<number> {
  return read.count(TableFile, OF_TABLE, [decodeId(tableId)]);
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
