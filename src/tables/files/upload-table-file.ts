import { createReadStream } from 'node:fs';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId, newId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { addStorageUsage } from '../../tenancy/storage-quota.js';
import type { TableServices } from '../table-context.js';
import { tableFileKey } from '../table-file-key.js';
import type { WrittenFile } from '../written-file.js';
import { discardOnFailure } from './discard-table-files.js';
import { scheduleTableCleanup } from './table-cleanup-job.js';

export interface TableFileTarget {
  readonly tenantId: string;
  readonly tableId: string;
  /** Schema version of the table after the file has become part of it. */
  readonly schemaVersion: number;
  /**
   * Whether the upload fails if the file exceeds the storage quota of the workspace. The file counts as used storage in
   * any case.
   */
  readonly enforcesQuota: boolean;
}

/** A pending file must become part of its table within this time. Afterwards, the cleanup job deletes the file. */
const PENDING_FILE_SECONDS = 6 * 3_600;

const INSERT_PENDING_FILE = `
insert into table_file (id, tenant_id, table_id, kind, state, rows, bytes, schema_version, first_received_at, last_received_at, first_key, last_key, proposed_columns, created_at, kept_until)
values (?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp(), clock_timestamp() + make_interval(secs => ${PENDING_FILE_SECONDS}))`;

/**
 * Uploads a file to the store. Inserts the row of `table_file` first, so that the cleanup job finds the file if the
 * process dies. Throws `FileStoreError` and `StorageQuotaExceededError`.
 */
export async function uploadTableFile(
  services: TableServices,
  { tenantId, tableId, schemaVersion, enforcesQuota }: TableFileTarget,
  path: string,
  measures: Omit<WrittenFile, 'id'>,
): Promise<WrittenFile> {
  const { em, tables, store, jobs, storage } = services;
  const file = { id: newId(), ...measures };
  const { id, kind, rows, bytes, firstReceivedAt, lastReceivedAt, keys, proposedColumns } = file;
  const ids = [id, tenantId, tableId].map(decodeId);
  await runTenantTransaction(em, tables, tenantId, async (tx) => {
    await deferPrepared(tx.em, INSERT_PENDING_FILE, [
      ...ids,
      kind,
      rows,
      bytes,
      schemaVersion,
      firstReceivedAt,
      lastReceivedAt,
      keys?.first ?? null,
      keys?.last ?? null,
      proposedColumns ? JSON.stringify(proposedColumns) : null,
    ]);
    await Promise.all([
      scheduleTableCleanup(jobs, tx.em, { tenantId, tableId }, PENDING_FILE_SECONDS + 5),
      enforcesQuota
        ? storage.reserve(tx, tenantId, 'tables', bytes)
        : addStorageUsage(tx.em, tenantId, 'tables', bytes),
    ]);
  });
  return discardOnFailure(services, { tenantId, tableId }, [file], async () => {
    await store.put(tableFileKey({ tenantId, tableId, kind, id }), createReadStream(path));
    return file;
  });
}
