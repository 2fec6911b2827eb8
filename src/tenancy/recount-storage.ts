import { decodeId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading/reader.js';

/**
 * Locks the usage until the end of the transaction. Transactions that change the usage wait for the lock, so the sums
 * of the next statement are complete.
 */
const LOCK_USAGE = `
insert into storage_usage (id, tenant_id, kind, bytes)
select gen_random_uuid(), $1, kind, 0 from unnest(array['files', 'records', 'tables']) kind
on conflict (tenant_id, kind) do update set bytes = storage_usage.bytes`;

const RECALCULATE_USAGE = `
update storage_usage set bytes = case kind
  when 'files' then (
    select coalesce(sum(reserved_bytes + case when deleted_at is null then file_size else 0 end), 0) from artifact where tenant_id = $1)
  when 'records' then (select coalesce(sum(bytes), 0) from ingest_batch where tenant_id = $1)
  else (select coalesce(sum(bytes), 0) from table_file where tenant_id = $1)
end
where tenant_id = $1`;

export async function recountStorage(read: Reader, tenantId: string): Promise<void> {
  const id = decodeId(tenantId);
  await read.rows(LOCK_USAGE, [id]);
  await read.rows(RECALCULATE_USAGE, [id]);
}
