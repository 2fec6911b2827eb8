import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../kernel/errors.js';
import { deferPrepared } from '../kernel/execute-prepared.js';
import { decodeId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading/reader.js';
import type { TenantTransaction } from '../kernel/reading/tenant-transaction.js';
import type { StorageKind, WorkspaceStorage } from './storage-usage.js';

declare module '../kernel/errors.js' {
  interface ErrorCodes {
    STORAGE_QUOTA_EXCEEDED: true;
  }
}

/** Locks the row until the end of the transaction. */
const ADD_USAGE = `
insert into storage_usage (id, tenant_id, kind, bytes) values (gen_random_uuid(), $1, $2, $3)
on conflict (tenant_id, kind) do update set bytes = storage_usage.bytes + excluded.bytes`;

const SELECT_USAGE = `
select coalesce(sum(bytes) filter (where kind = 'files'), 0), coalesce(sum(bytes) filter (where kind = 'records'), 0),
  coalesce(sum(bytes) filter (where kind = 'tables'), 0), (select storage_quota_bytes from workspace where id = $1)
from storage_usage where tenant_id = $1`;

export class StorageQuotaExceededError extends AppError {
  constructor({ usedBytes, quotaBytes }: WorkspaceStorage, retryAfter?: number) {
    const sentence = `The workspace uses ${usedBytes.toLocaleString('en')} of ${quotaBytes?.toLocaleString('en')} bytes of storage, and this operation needs more. Delete files, or ask the operator for a larger quota.`;
    super('STORAGE_QUOTA_EXCEEDED', sentence, retryAfter === undefined ? {} : { retryAfter });
  }
}

/** `bytes` may be negative. Holds a lock until the end of the transaction, so callers should call it late. */
export async function addStorageUsage(
  em: EntityManager,
  tenantId: string,
  kind: StorageKind,
  bytes: number,
): Promise<void> {
  if (bytes !== 0) await deferPrepared(em, ADD_USAGE, [decodeId(tenantId), kind, bytes]);
}

export class StorageQuota {
  /** `defaultBytes` applies to workspaces without their own quota. Undefined disables the limit. */
  constructor(private readonly defaultBytes: number | undefined) {}

  async readUsage(read: Reader, tenantId: string): Promise<WorkspaceStorage> {
    const [row = []] = await read.rows(SELECT_USAGE, [decodeId(tenantId)]);
    const [fileBytes = 0, recordBytes = 0, tableBytes = 0] = row.slice(0, 3).map(Number);
    const own = row[3] ?? undefined;
    // A quota of 0 disables the limit.
    const quotaBytes = own === undefined ? this.defaultBytes : Number(own) || undefined;
    const usedBytes = fileBytes + recordBytes + tableBytes;
    return { fileBytes, recordBytes, tableBytes, usedBytes, ...(quotaBytes !== undefined && { quotaBytes }) };
  }

  /** Throws `StorageQuotaExceededError` if the quota has no room for `bytes`. Reserves nothing. */
  async requireSpace(read: Reader, tenantId: string, bytes: number, retryAfter?: number): Promise<void> {
    const usage = await this.readUsage(read, tenantId);
    if (usage.usedBytes + bytes > (usage.quotaBytes ?? Number.POSITIVE_INFINITY))
      throw new StorageQuotaExceededError(usage, retryAfter);
  }

  /**
   * Reserves up to `wanted` bytes and returns their number. Reserved bytes count as used. Throws
   * `StorageQuotaExceededError` if there is room for fewer than `needed` bytes. Concurrent reservations of one kind
   * wait for each other, so together they stay within the quota.
   */
  async reserve(
    tx: TenantTransaction,
    tenantId: string,
    kind: StorageKind,
    needed: number,
    wanted = needed,
  ): Promise<number> {
    await addStorageUsage(tx.em, tenantId, kind, wanted);
    const usage = await this.readUsage(tx.read, tenantId);
    const excess = Math.max(0, usage.usedBytes - (usage.quotaBytes ?? Number.POSITIVE_INFINITY));
    if (excess > wanted - needed)
      throw new StorageQuotaExceededError({ ...usage, usedBytes: usage.usedBytes - wanted });
    await addStorageUsage(tx.em, tenantId, kind, -excess);
    return wanted - excess;
  }
}
