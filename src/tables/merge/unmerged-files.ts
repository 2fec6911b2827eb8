import { decodeId, encodeId } from '../../kernel/ids.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableJobData } from '../files/table-cleanup-job.js';
import { scheduleMerge } from '../files/table-merge-job.js';
import type { WrittenFile } from '../written-file.js';

const SELECT_FILES = `
select id, rows, bytes, first_key, last_key,
  extract(epoch from first_received_at), extract(epoch from last_received_at), extract(epoch from created_at)
from table_file where tenant_id = $1 and table_id = $2 and state = 'unmerged' order by created_at, id`;

/** A file whose rows become part of the table with the next merge. */
export interface UnmergedFile extends WrittenFile {
  readonly createdAt: Date;
}

export async function readUnmergedFiles(read: Reader, { tenantId, tableId }: TableJobData): Promise<UnmergedFile[]> {
  const rows = await read.rows(SELECT_FILES, [decodeId(tenantId), decodeId(tableId)]);
  return rows.map(([id, count, bytes, first, last, ...times]) => {
    const [firstReceivedAt, lastReceivedAt, createdAt] = times.map((seconds) => new Date(Number(seconds) * 1_000));
    return {
      ...{ id: encodeId(id as string), kind: 'data', rows: Number(count), bytes: Number(bytes) },
      keys: { first: first as string, last: last ?? undefined },
      ...({ firstReceivedAt, lastReceivedAt, createdAt } as Pick<
        UnmergedFile,
        'firstReceivedAt' | 'lastReceivedAt' | 'createdAt'
      >),
    };
  });
}

const SELECT_ANY = `select from table_file where tenant_id = $1 and table_id = $2 and state = 'unmerged' limit 1`;

export async function mergeSoon(jobs: Jobs, { em, read }: TenantTransaction, table: TableJobData): Promise<void> {
  const found = await read.rows(SELECT_ANY, [decodeId(table.tenantId), decodeId(table.tableId)]);
  if (found.length > 0) await scheduleMerge(jobs, em, table, 0);
}
