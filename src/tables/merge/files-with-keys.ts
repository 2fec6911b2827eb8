import { decodeId, encodeId } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { TableJobData } from '../files/table-cleanup-job.js';
import type { KeyRange, WrittenFile } from '../written-file.js';

const SELECT_FILES = `
select id, kind, bytes from table_file
where tenant_id = $1 and table_id = $2 and state = 'live' and kind not in ('rejects', 'held') and first_key is not null
  and (last_key is null or last_key >= $3 collate "C") and ($4::text is null or first_key <= $4 collate "C")
order by created_at, id`;

/** Returns those files of a table that may contain rows with keys in the range. */
export async function readFilesWithKeys(
  read: Reader,
  { tenantId, tableId }: TableJobData,
  { first, last }: KeyRange,
): Promise<Pick<WrittenFile, 'id' | 'kind' | 'bytes'>[]> {
  const rows = await read.rows(SELECT_FILES, [decodeId(tenantId), decodeId(tableId), first, last ?? null]);
  return rows.map(([id, kind, bytes]) => ({
    ...{ id: encodeId(id as string), kind: kind as WrittenFile['kind'], bytes: Number(bytes) },
  }));
}
