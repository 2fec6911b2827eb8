import type { EntityClass } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntityTables } from '../kernel/entities/entity-tables.js';
import { deferPrepared } from '../kernel/execute-prepared.js';
import { decodeId, newId, SYSTEM_USER_ID } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading/reader.js';
import { runTenantTransaction, type TenantTransaction } from '../kernel/reading/tenant-transaction.js';
import type { Caller } from './caller.js';

const INSERT_AUDIT_ENTRIES = `
insert into audit_entry (id, tenant_id, actor_kind, actor_id, request_id, at, action, object_type, object_id, details)
select e.id, ?, ?, ?, ?, e.at, e.action, e."objectType", e."objectId", e.details
from json_to_recordset(?::json) as e(id uuid, at timestamptz, action text, "objectType" text, "objectId" uuid, details json)`;

/** The caller becomes the author of the transaction's rows and the actor of its audit entries. */
export class WorkspaceTransaction implements TenantTransaction {
  readonly em: EntityManager;
  readonly read: Reader;
  readonly #afterCommitHooks: (() => Promise<void>)[] = [];
  readonly #auditEntries: object[] = [];

  constructor(
    { em, read }: TenantTransaction,
    readonly caller: Caller,
    readonly requestId: string,
  ) {
    this.em = em;
    this.read = read;
  }

  create<Row extends object>(entity: EntityClass<Row>, values: Partial<Row>): Row {
    const { tenantId, userId } = this.caller;
    const row = new (entity as new () => Row)();
    Object.assign(row, values, { tenantId }, 'createdBy' in row && { createdBy: userId, updatedBy: userId });
    this.em.persist(row);
    return row;
  }

  /**
   * Sets plain values, and relations to rows of the catalog. For relations within the workspace, callers must use
   * `nativeUpdate` with `relationValue`.
   */
  update<Row extends { updatedBy: string }>(row: Row, values: Partial<Row>): void {
    const { properties } = this.em.getMetadata().get(row.constructor as EntityClass<Row>);
    for (const name of Object.keys(values) as (keyof typeof properties)[])
      if (properties[name].joinColumns?.length > 1)
        throw new Error(`the columns of ${String(name)} include tenant_id; use nativeUpdate with relationValue`);
    Object.assign(row, values, { updatedBy: this.caller.userId });
  }

  /** `runAfterCommit` must catch its own errors, because the change is already committed. */
  afterCommit(runAfterCommit: () => Promise<void>): void {
    this.#afterCommitHooks.push(runAfterCommit);
  }

  async follow(): Promise<void> {
    for (const follow of this.#afterCommitHooks) await follow();
  }

  /** At its end, the transaction inserts the audit entry. `details` must not contain secrets. */
  recordAudit(action: string, object: { id: string }, details?: Record<string, unknown>): void {
    this.recordAuditOf(action, object.constructor.name, object.id, details);
  }

  /** Like `recordAudit`, for an object that the transaction has not loaded. */
  recordAuditOf(action: string, objectType: string, objectId: string, details?: Record<string, unknown>): void {
    const at = new Date();
    const ids = { id: decodeId(newId()), objectId: decodeId(objectId) };
    this.#auditEntries.push({ ...ids, at, action, objectType, ...(details && { details }) });
  }

  async saveAuditEntries(): Promise<void> {
    if (this.#auditEntries.length === 0) return;
    const { kind, id, tenantId } = this.caller;
    await this.em.flush(); // The audit entries describe these changes, so the changes come first.
    const actor = [decodeId(tenantId), kind, decodeId(id), this.requestId];
    await deferPrepared(this.em, INSERT_AUDIT_ENTRIES, [...actor, JSON.stringify(this.#auditEntries)]);
  }
}

export async function writeAsCaller<Result>(
  em: EntityManager,
  tables: EntityTables,
  caller: Caller,
  requestId: string,
  work: (tx: WorkspaceTransaction) => Promise<Result>,
): Promise<Result> {
  const [result, committed] = await runTenantTransaction(em, tables, caller.tenantId, async (inner) => {
    const tx = new WorkspaceTransaction(inner, caller, requestId);
    const result = await work(tx);
    await tx.saveAuditEntries();
    return [result, tx] as const;
  });
  await committed.follow();
  return result;
}

export function systemCaller(tenantId: string): Caller {
  return { kind: 'system', id: SYSTEM_USER_ID, userId: SYSTEM_USER_ID, tenantId, grants: new Set(['*']) };
}
