import { ref } from '@mikro-orm/core';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { maxLookaheadMs } from '../../catalog/model/lookahead.js';
import type { TapRunMode } from '../../catalog/model/table-mode.js';
import type { TapSync } from '../../catalog/model/tap-sync.js';
import { lockInstance } from '../../instances/find-instance.js';
import { hasSucceeded, saveSyncState } from '../../instances/save-sync-state.js';
import { SyncJob } from '../../instances/sync-job.js';
import { OPEN_STATUSES, type SyncTrigger } from '../../instances/sync-job-status.js';
import type { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { statusListSql } from '../../kernel/entities/status-list-sql.js';
import { AppError } from '../../kernel/errors.js';
import { decodeId, encodeId } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { findFeed } from '../../tables/merge/find-feed.js';
import { nextModeOf } from '../../tables/merge/next-mode.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { TapRun } from '../tap-run.js';
import type { EndServices } from './end-tap-run.js';
import { isPulledTap } from './is-pulled-tap.js';
import { planSync } from './plan-sync.js';

/** Records that the runs of a job read instead of the changes since the last sync. */
export interface SyncScope {
  /** Reads the records of this time range again, in taps that filter by time. */
  readonly range?: { readonly from: Date; readonly until?: Date | null | undefined } | undefined;
  /** Reads all records again. */
  readonly isResync?: boolean;
}

export interface SyncRequest extends SyncScope {
  /** Taps of the connection; all enabled taps by default. */
  readonly tapIds?: readonly string[] | undefined;
  readonly trigger: Exclude<SyncTrigger, 'external'>;
}

interface ReadableTap {
  readonly id: string;
  /** End of the time range, if the tap reads only a part of it. */
  readonly until?: Date;
  readonly mode: TapRunMode;
  /** Whether the run reads the tap from the start. */
  readonly isResync: boolean;
}

/**
 * Starts a sync of a connection and returns the id of its job. If a sync of the connection is open, adds the
 * requested taps that this sync does not read yet, and returns its id. Throws NOT_FOUND. Throws CONFLICT if the connection is disabled or has no
 * tap that can be read, and for a request with a scope while a sync is open. Throws BAD_REQUEST for a range that ends
 * later than any of its taps can read.
 */
export async function startSync(
  tx: WorkspaceTransaction,
  services: EndServices,
  instanceId: string,
  { tapIds, trigger, ...scope }: SyncRequest,
): Promise<string> {
  const instance = await lockInstance(tx, instanceId);
  if (!instance.enabled) throw new AppError('CONFLICT', 'The connection is disabled. Enable it, then start the sync.');
  const taps = await readableTaps(tx, instanceId, tapIds, scope);
  const [openJob] = await tx.read.rows(SELECT_OPEN_JOB, [tx.caller.tenantId, instanceId].map(decodeId));
  const open = openJob && (await tx.em.findOneOrFail(SyncJob, { id: encodeId(openJob[0] as string) }));
  if (open && (scope.range || scope.isResync))
    throw new AppError('CONFLICT', 'A sync of the connection is open. Wait until it ends, or cancel it.');
  const job = open ?? (await createJob(tx, instance, trigger, scope));
  const existing = open ? await tx.read.many(TapRun, 'job', job.id) : [];
  const isAdded = await addRuns(tx, job, existing, taps, scope);
  const { range, isResync } = scope;
  const details = { trigger, ...(tapIds && { tapIds }), ...(range && { range }), ...(isResync && { mode: 'resync' }) };
  if (!open) tx.recordAudit('sync.started', job, details);
  else if (isAdded) tx.recordAudit('sync.extended', job, { trigger, ...(tapIds && { tapIds }) });
  await tx.em.flush();
  await saveSyncState(tx, instance);
  if (open) tx.read.clear();
  await planSync(tx, services, job.id, { isNewKey: !open });
  return job.id;
}

const SELECT_OPEN_JOB = `
select id from sync_job
where tenant_id = $1 and instance_id = $2 and trigger <> 'external' and status in (${statusListSql(OPEN_STATUSES)})
limit 1`;

async function createJob(
  tx: WorkspaceTransaction,
  instance: TenantConnectorInstance,
  trigger: SyncTrigger,
  { range }: SyncScope,
): Promise<SyncJob> {
  const isInitial = !(await hasSucceeded(tx, instance.id));
  const runUntil = range?.until ?? new Date();
  return tx.create(SyncJob, { instance: ref(instance), trigger, status: 'queued', isInitial, runUntil });
}

/** Adds a run for each tap that has no run in the job. Returns whether a run was added. */
async function addRuns(
  tx: WorkspaceTransaction,
  job: SyncJob,
  existing: readonly Lean<TapRun>[],
  taps: readonly ReadableTap[],
  { range }: SyncScope,
): Promise<boolean> {
  const missing = taps.filter(({ id }) => !existing.some(({ tap }) => tap === id));
  // A range of the job may end in the future. Without a range, that end would be saved as a cursor.
  const endOfJob = new Date(Math.min(Number(job.runUntil ?? Date.now()), Date.now()));
  for (const { id, mode, isResync, until } of missing) {
    const tap = await tx.em.findOneOrFail(TenantConnectorTap, { id });
    const reads = { runUntil: until ?? endOfJob, isResync, ...(range && { rangeFrom: range.from }) };
    tx.create(TapRun, { job: ref(job), tap: ref(tap), mode, ...reads });
  }
  return missing.length > 0;
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
  if (unknown) throw new AppError('NOT_FOUND', 'The connection does not have all of these taps.');
  const wanted = all.filter(({ id }) => !tapIds || tapIds.includes(id));
  const definitions = await Promise.all(wanted.map(({ tap }) => tap && read.byId(ConnectorTap, tap)));
  for (const [at, tap] of wanted.entries()) {
    const { id, enabled, name } = tap;
    const definition = definitions[at] || undefined;
    const isPulled = isPulledTap(definition);
    const until = range && definition && endOf(range, definition.sync);
    const omission = until && omissionOf(until, range, definition.sync);
    if (enabled && isPulled && omission) {
      if (tapIds) throw new AppError('CONFLICT', `The tap "${name}" ${omission}. Omit range, or the tap.`);
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
    throw new AppError('BAD_REQUEST', 'range.until is in the future.');
  if (found.length === 0)
    throw new AppError(
      'CONFLICT',
      `The connection has no enabled tap that can be read${range ? ' for a time range' : ''}.`,
    );
  return found;
}

/** The end of the range for a tap: now, unless the tap reads records with future dates. */
function endOf({ until }: NonNullable<SyncScope['range']>, sync: TapSync): Date {
  const now = Date.now();
  return new Date(Math.min(until?.getTime() ?? now, now + maxLookaheadMs(sync)));
}

/** Why a range has no records of a tap; undefined if it can have some. */
function omissionOf(end: Date, { from }: NonNullable<SyncScope['range']>, { mode }: TapSync): string | undefined {
  if (mode === 'full') return 'is always read in full';
  return end <= from ? 'has no records in the future' : undefined;
}
