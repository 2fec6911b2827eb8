import { createReadStream } from 'node:fs';
import { decodeId, newId } from '../kernel/ids.js';
import { inTenant } from '../kernel/transaction.js';
import { countStorage } from '../tenancy/storage-quota.js';
import { unlessGivenUp } from './give-up-table-files.js';
import { scheduleTableCleanup } from './table-cleanup-job.js';
import type { TableParts } from './table-context.js';
import { tableFileKey } from './table-file-key.js';
import type { WrittenFile } from './written-file.js';

export interface FileTarget {
  readonly tenantId: string;
  readonly tableId: string;
  /** That of the table once the file is part of it. */
  readonly schemaVersion: number;
  /** Whether the file must fit into the storage quota of the workspace. It counts in any case. */
  readonly isLimited: boolean;
}

/** Seconds within which a file has to become part of its table once there is a row of it. */
const PENDING_LIFE = 6 * 3_600;

const PENDING = `
insert into table_file (id, tenant_id, table_id, kind, state, rows, bytes, schema_version, first_received_at, last_received_at, created_at, kept_until)
values (?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, clock_timestamp(), clock_timestamp() + make_interval(secs => ${PENDING_LIFE}))`;

/** Puts a file into the store. Its row comes first, so that whatever is lost in between is found. Throws `StoringFailed` and `StorageQuotaExceeded`. */
export async function keepTableFile(
  parts: TableParts,
  { tenantId, tableId, schemaVersion, isLimited }: FileTarget,
  path: string,
  measures: Omit<WrittenFile, 'id'>,
): Promise<WrittenFile> {
  const { em, tables, store, jobs, storage } = parts;
  const file = { id: newId(), ...measures };
  const { id, kind, rows, bytes, firstReceivedAt, lastReceivedAt } = file;
  const ids = [id, tenantId, tableId].map(decodeId);
  await inTenant(em, tables, tenantId, async (tx) => {
    await tx.em.execute(PENDING, [...ids, kind, rows, bytes, schemaVersion, firstReceivedAt, lastReceivedAt]);
    await scheduleTableCleanup(jobs, tx.em, { tenantId, tableId }, PENDING_LIFE + 5);
    await (isLimited
      ? storage.claim(tx.read, tenantId, 'tables', bytes)
      : countStorage(tx.read, tenantId, 'tables', bytes));
  });
  return unlessGivenUp(parts, { tenantId, tableId }, [file], async () => {
    await store.put(tableFileKey({ tenantId, tableId, kind, id }), createReadStream(path));
    return file;
  });
}
