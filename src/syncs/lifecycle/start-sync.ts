import { CatalogRevision } from '../../catalog/catalog-revision.js';
import type { KnownDefinitions } from '../../catalog/loading/known-definitions.js';
import { Connector } from '../../catalog/model/connector.js';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { maxLookaheadMs } from '../../catalog/model/lookahead.js';
import type { TapRunMode } from '../../catalog/model/table-mode.js';
import type { TapSync } from '../../catalog/model/tap-sync.js';
import { instanceNotFoundError } from '../../instances/find-instance.js';
import { saveSyncState } from '../../instances/save-sync-state.js';
import { SyncJob } from '../../instances/sync-job.js';
import { OPEN_STATUSES, type SyncTrigger } from '../../instances/sync-job-status.js';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { statusListSql } from '../../kernel/entities/status-list-sql.js';
import { AppError } from '../../kernel/errors.js';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import { readJoined } from '../../kernel/reading/read-joined.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { findFeed } from '../../tables/merge/find-feed.js';
import { nextModeOf } from '../../tables/merge/next-mode.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { insertSyncJob, insertTapRuns } from '../insert-sync.js';
import { isPulledTap } from '../runs/is-pulled-tap.js';
import type { EndServices } from '../runs/run-end.js';
import { TapRun } from '../tap-run.js';
import { enqueueFirstStep, planSync } from './plan-sync.js';

/**
 * Selects the records that a sync reads. Without a scope, the sync reads the changes of incremental taps since the last
 * sync.
 */
export interface SyncScope {
  /** Time range whose records the sync reads again. Applies to taps that filter by time. */
  readonly range?: { readonly from: Date; readonly until?: Date | null | undefined } | undefined;
  /** Whether the sync reads all records again. */
  readonly isResync?: boolean;
}

export interface SyncRequest extends SyncScope {
  /** Ids of the workspace taps to read. Defaults to all enabled taps. */
  readonly tapIds?: readonly string[] | undefined;
  readonly trigger: Exclude<SyncTrigger, 'external'>;
}

export interface StartServices extends EndServices {
  readonly definitions: KnownDefinitions;
}

interface ReadableTap {
  readonly id: string;
  /** End of the time range for this tap. Undefined without a time range. */
  readonly until?: Date;
  readonly mode: TapRunMode;
  readonly isResync: boolean;
}

/** A connection that is locked until the transaction ends. */
export interface StartableConnection {
  readonly instance: Lean<TenantConnectorInstance>;
  /** The open sync of the connection, unless an external runner reports it. */
  readonly open: Lean<SyncJob> | undefined;
}

const LOCK_INSTANCE = 'select 1 from tenant_connector_instance where tenant_id = ? and id = ? for update';

const FROM_INSTANCE = `
tenant_connector_instance i
left join lateral (
  select * from sync_job j where j.tenant_id = i.tenant_id and j.instance_id = i.id and j.trigger <> 'external'
    and j.status in (${statusListSql(OPEN_STATUSES)}) limit 1
) j on true
left join catalog_revision c on true
where i.tenant_id = $1 and i.id = $2 and i.deleted_at is null`;

/** Returns undefined if the connection does not exist or is deleted. */
export async function lockForStart(
  { em, read, caller }: WorkspaceTransaction,
  { definitions }: Pick<StartServices, 'definitions'>,
  instanceId: string,
): Promise<StartableConnection | undefined> {
  const ids = [caller.tenantId, instanceId].map(decodeId);
  // The lock is a separate statement, so that the next statement reads all changes that were committed before the lock.
  await deferPrepared(em, LOCK_INSTANCE, ids);
  const rows = await readJoined(
    read,
    { i: TenantConnectorInstance, j: SyncJob, c: CatalogRevision },
    FROM_INSTANCE,
    ids,
  );
  definitions.use(read, rows?.c);
  return rows?.i && { instance: rows.i, open: rows.j };
}

/**
 * Returns the id of the sync job. If a sync of the connection is already open, adds the requested taps that this sync
 * lacks, and returns its id. Throws:
 * - NOT_FOUND if the connection or a requested tap does not exist.
 * - CONFLICT if the connection is disabled, or if a sync is open and the request has a `SyncScope`.
 * - CONFLICT if the service cannot read a requested tap, or cannot read any tap of the connection.
 * - BAD_REQUEST if the range ends after the latest date that the selected taps can read.
 */
export async function startSync(
  tx: WorkspaceTransaction,
  services: StartServices,
  instanceId: string,
  request: SyncRequest,
): Promise<string> {
  const connection = await lockForStart(tx, services, instanceId);
  if (!connection) throw instanceNotFoundError();
  return startLockedSync(tx, services, connection, request);
}

/** Like `startSync`, for a connection that the caller has locked. */
export async function startLockedSync(
  tx: WorkspaceTransaction,
  services: StartServices,
  { instance, open }: StartableConnection,
  { tapIds, trigger, ...scope }: SyncRequest,
): Promise<string> {
  if (!instance.enabled) throw new AppError('CONFLICT', 'The connection is disabled. Enable it, then start the sync.');
  const taps = await readableTaps(tx, instance.id, tapIds, scope);
  if (open && (scope.range || scope.isResync))
    throw new AppError('CONFLICT', 'A sync of the connection is open. Wait until the sync ends, or cancel the sync.');
  const runUntil = open ? open.runUntil && new Date(open.runUntil) : (scope.range?.until ?? new Date());
  const jobId = open?.id ?? (await insertSyncJob(tx, { instanceId: instance.id, trigger, runUntil: runUntil as Date }));
  const existing = open ? await tx.read.many(TapRun, 'job', jobId) : [];
  const missing = taps.filter(({ id }) => !existing.some(({ tap }) => tap === id));
  // A tap run without a range must not save a future end of the job's range as its cursor.
  const endOfJob = new Date(Math.min(Number(runUntil ?? Date.now()), Date.now()));
  const runs = missing.map(({ until = endOfJob, ...tap }) => ({ ...tap, until, from: scope.range?.from }));
  const runIds = await insertTapRuns(tx, jobId, runs);
  const { range, isResync } = scope;
  const details = { trigger, ...(tapIds && { tapIds }), ...(range && { range }), ...(isResync && { mode: 'resync' }) };
  if (!open) tx.recordAuditOf('sync.started', SyncJob.name, jobId, details);
  else if (missing.length > 0)
    tx.recordAuditOf('sync.extended', SyncJob.name, jobId, { trigger, ...(tapIds && { tapIds }) });
  await saveSyncState(tx, instance);
  const connector = await tx.read.byId(Connector, instance.connector);
  if (!open && !connector?.traversal?.edges?.length) {
    for (const runId of runIds) await enqueueFirstStep(tx, services, runId, true);
    return jobId;
  }
  tx.read.clear();
  await planSync(tx, services, jobId, { isNewKey: !open });
  return jobId;
}

async function readableTaps(
  { read }: WorkspaceTransaction,
  instanceId: string,
  tapIds: readonly string[] | undefined,
  { range, isResync = false }: SyncScope,
): Promise<ReadableTap[]> {
  const found: ReadableTap[] = [];
  const all = (await read.many(TenantConnectorTap, 'instance', instanceId)).filter(({ deletedAt }) => !deletedAt);
  const unknown = tapIds?.find((id) => !all.some((tap) => tap.id === id));
  if (unknown) throw new AppError('NOT_FOUND', 'tapIds contains a tap that the connection does not have.');
  const wanted = all.filter(({ id }) => !tapIds || tapIds.includes(id));
  const definitions = await Promise.all(wanted.map(({ tap }) => tap && read.byId(ConnectorTap, tap)));
  for (const [at, tap] of wanted.entries()) {
    const { id, enabled, name } = tap;
    const definition = definitions[at] || undefined;
    const isPulled = isPulledTap(definition);
    const until = range && definition && endOf(range, definition.sync);
    const omission = until && omissionOf(until, range, definition.sync);
    if (enabled && isPulled && omission) {
      if (tapIds)
        throw new AppError('CONFLICT', `The tap "${name}" ${omission}. Omit range, or remove the tap from tapIds.`);
    } else if (enabled && isPulled && tap.resetAt && !range) found.push({ id, mode: 'replace', isResync: true });
    else if (enabled && isPulled)
      found.push({
        id,
        isResync,
        mode: (await findFeed(read, tap, definition))?.mode ?? (await nextModeOf(read, tap, definition)),
        ...(until && { until }),
      });
    else if (tapIds)
      throw new AppError('CONFLICT', `The tap "${name}" ${enabled ? 'receives only pushed records' : 'is disabled'}.`);
  }
  if (range?.until && found.length > 0 && found.every(({ until = 0 }) => until < (range.until ?? 0)))
    throw new AppError(
      'BAD_REQUEST',
      'range.until is too late. It is after the latest date that the selected taps can read.',
    );
  if (found.length === 0)
    throw new AppError(
      'CONFLICT',
      range
        ? 'The connection has no enabled tap that the service can read for a time range. Enable an incremental tap, or omit range.'
        : 'The connection has no enabled tap that the service can read. Enable or add a tap.',
    );
  return found;
}

/**
 * Returns the end of the range, but at most the current time. If the tap reads records with future dates, the maximum
 * is the latest date that it can read.
 */
function endOf({ until }: NonNullable<SyncScope['range']>, sync: TapSync): Date {
  const now = Date.now();
  return new Date(Math.min(until?.getTime() ?? now, now + maxLookaheadMs(sync)));
}

/** Returns why the tap cannot read the range, or undefined if it can. */
function omissionOf(end: Date, { from }: NonNullable<SyncScope['range']>, { mode }: TapSync): string | undefined {
  if (mode === 'full') return 'is always read in full';
  return end <= from ? 'reads no records with future dates' : undefined;
}
