import { decodeId } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { type PageArgs, type PageOf, readPage } from '../../kernel/reading/paging.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { TableFile, type TableFileKind } from '../table-file.js';

const OF_TABLE = `table_id = $1 and state = 'live'`;

/** Files that were part of version $2 of a table. */
const OF_VERSION = `
table_id = $1 and coalesce(from_version, 0) <= $2 and (until_version > $2 or (until_version is null and state = 'live'))`;

/** Selects the files of a version. Without a version, selects the current files. */
function filesOf(tableId: string, version: number | undefined): { where: string; values: unknown[] } {
  return version === undefined
    ? { where: OF_TABLE, values: [decodeId(tableId)] }
    : { where: OF_VERSION, values: [decodeId(tableId), version] };
}

/** Files of a table or of one of its versions, newest first. */
export function readTableFiles(
  read: Reader,
  tableId: string,
  version: number | undefined,
  page: PageArgs,
  list: ListSelection,
): Promise<PageOf<TableFile>> {
  return readPage(read, TableFile, page, list, filesOf(tableId, version));
}

/** The newest files of a kind, as many as are needed for `rows` rows. */
export async function findNewestFiles(
  read: Reader,
  tableId: string,
  {
    kind,
    limit,
    version,
  }: { readonly kind: TableFileKind; readonly limit: number; readonly version?: number | undefined },
): Promise<Lean<TableFile>[]> {
  const { where, values } = filesOf(tableId, version);
  const files = await read.select(TableFile, { where: `${where} and kind = $${values.length + 1}`, limit }, [
    ...values,
    kind,
  ]);
  let sum = 0;
  const enough = files.findIndex((file) => (sum += file.rows) >= limit);
  return enough < 0 ? files : files.slice(0, enough + 1);
}
