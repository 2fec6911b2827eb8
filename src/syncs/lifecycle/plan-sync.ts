import { Connector } from '../../catalog/model/connector.js';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { TraversalEdge } from '../../catalog/model/traversal.js';
import { SyncJob } from '../../instances/sync-job.js';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { findTapByName } from '../runs/load-run.js';
import type { EndServices, RunEnd } from '../runs/run-end.js';
import { syncStepQueue } from '../runs/sync-step-job.js';
import { TapRun } from '../tap-run.js';
import { isOpenRun } from '../tap-run-status.js';
import { closeTapRun } from './close-tap-run.js';

type Run = Lean<TapRun>;

/**
 * New syncs start before running syncs continue, so that large syncs do not delay small syncs. New syncs cannot delay
 * running syncs for long, because a connection has at most one open sync.
 */
const FIRST_STEP_PRIORITY = 1;

/** `runs` contains the runs of a job by the name of their tap. */
interface RunGraph {
  readonly instanceId: string;
  readonly runs: ReadonlyMap<string, Run>;
  readonly edges: readonly TraversalEdge[];
}

/**
 * Checks the parent taps of each pending run of the job:
 * - If all parents have succeeded, enqueues the first step of the run.
 * - If a parent did not succeed, or is disabled or deleted, ends the run.
 * - If a parent is still open, the run remains pending.
 *
 * An enabled parent that is not part of the job counts as succeeded: its child taps read the parent records from the
 * table of the parent. With `endedRunId`, checks only the children of that run, because earlier calls have checked the
 * other runs. Callers set `isNewKey` (see `enqueueJob`) if no run of the job has a step yet.
 *
 * The caller must lock the connection. The reader of the transaction must not have cached an outdated row of the job.
 * Returns the runs of the job if none of them is pending, and otherwise undefined.
 */
export async function planSync(
  tx: WorkspaceTransaction,
  services: EndServices,
  jobId: string,
  { endedRunId, isNewKey = false }: { readonly endedRunId?: string; readonly isNewKey?: boolean } = {},
): Promise<readonly Run[] | undefined> {
  for (let ended = endedRunId ? [endedRunId] : undefined; ended?.length !== 0; tx.read.clear()) {
    const runs = await tx.read.many(TapRun, 'job', jobId);
    if (!runs.some(({ status }) => status === 'pending')) return runs;
    const graph = await readRunGraph(tx.read, jobId);
    const next: string[] = [];
    for (const [name, run] of graph.runs) {
      if (run.status !== 'pending' || (ended && !isChildOf(graph, name, ended))) continue;
      const end = await endByParents(tx.read, graph, name);
      if (end === 'wait') continue;
      if (end) {
        await closeTapRun(tx, services, run.id, end);
        next.push(run.id);
      } else {
        if (!endedRunId) await enqueueFirstStep(tx, services, run.id, isNewKey);
        else
          await services.jobs.enqueue(tx.em, syncStepQueue, { tenantId: run.tenantId, runId: run.id }, { key: run.id });
      }
    }
    ended = next;
  }
  return undefined;
}

/** Only for a run that waits for no parent. Callers set `isNewKey` (see `enqueueJob`) if the run has no step yet. */
export function enqueueFirstStep(
  { em, caller: { tenantId } }: WorkspaceTransaction,
  { jobs }: Pick<EndServices, 'jobs'>,
  runId: string,
  isNewKey: boolean,
): Promise<void> {
  const options = { key: runId, isNewKey, priority: FIRST_STEP_PRIORITY };
  return jobs.enqueue(em, syncStepQueue, { tenantId, runId }, options);
}

function isChildOf({ edges, runs }: RunGraph, name: string, parents: readonly string[]): boolean {
  return edges.some(({ from, to }) => to === name && parents.includes(runs.get(from)?.id ?? ''));
}

async function readRunGraph(read: Reader, jobId: string): Promise<RunGraph> {
  const job = (await read.byId(SyncJob, jobId)) as Lean<SyncJob>;
  const instance = (await read.byId(TenantConnectorInstance, job.instance)) as Lean<TenantConnectorInstance>;
  const connector = await read.byId(Connector, instance.connector);
  const runs = await Promise.all(
    (await read.many(TapRun, 'job', jobId)).map(async (run) => [await nameOf(read, run), run] as const),
  );
  return { instanceId: instance.id, runs: new Map(runs), edges: connector?.traversal?.edges ?? [] };
}

async function nameOf(read: Reader, { id, tap: tapId }: Run): Promise<string> {
  const tap = await read.byId(TenantConnectorTap, tapId);
  const definition = tap?.tap && (await read.byId(ConnectorTap, tap.tap));
  // If the service reads a tap once per object, several workspace taps have the same definition. Such taps have no
  // parents and no children.
  return definition && !tap?.objectName ? definition.name : id;
}

function remedyFor(parent: Lean<TenantConnectorTap> | undefined): string {
  const isDeleted = !parent || parent.deletedAt;
  return isDeleted ? 'which is deleted. Add the parent tap again' : 'which is disabled. Enable the parent tap';
}

/**
 * Returns a `RunEnd` if the run of a parent did not succeed, or if a parent is disabled or deleted. Otherwise returns
 * `wait` if the run of a parent is still open, and undefined if the run can start.
 */
async function endByParents(
  read: Reader,
  { instanceId, runs, edges }: RunGraph,
  name: string,
): Promise<RunEnd | 'wait' | undefined> {
  let isWaiting = false;
  for (const { from } of edges.filter(({ to }) => to === name)) {
    const parent = runs.get(from);
    if (!parent) {
      const tap = await findTapByName(read, instanceId, from);
      if (!tap?.enabled || tap.deletedAt)
        return {
          ...{ status: 'failed', errorClass: 'configuration' },
          errorMessage: `The service reads this tap once per record of the parent tap "${from}", ${remedyFor(tap)}, or disable this tap.`,
        };
    } else if (isOpenRun(parent.status)) isWaiting = true;
    else if (parent.status !== 'succeeded') return endLike(parent, from);
  }
  return isWaiting ? 'wait' : undefined;
}

function endLike({ status, errorClass }: Run, name: string): RunEnd {
  const verb = { failed: 'failed', skipped: 'was skipped', cancelled: 'was cancelled' }[status as 'failed'];
  return {
    status: status as RunEnd['status'],
    ...(errorClass && { errorClass }),
    errorMessage: `The parent tap "${name}" ${verb}. The service reads this child tap once per parent record.`,
  };
}
