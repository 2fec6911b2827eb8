import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { printFigure, printProgress, printTitle } from '../support/print-figure.js';
import { call, PullBench } from './pull-bench.js';

const WORKSPACES = 10;
const CONNECTIONS = { quick: 300, full: 10_000 };
const MAX_SECONDS = 300;
/** Maximum ratio between the numbers of started syncs of two workspaces, when half of all syncs have started. */
const MAX_RATIO = 2;

const POLL_INTERVAL_MS = 2_000;

/** All syncs become due at the same time, the hardest case. */
const SET_SCHEDULES = 'update sync_schedule set next_run_at = now()';
const SET_JOBS = `
update taproot_jobs.job set start_after = now() where name = 'due-sync' and state = 'created'`;

/** One process per core, as in the sizing advice of docs/operations.md. */
const PROCESSES = availableParallelism();

/** A sync counts as started when the vendor receives the first request of the sync. */
export async function measureDueSyncs(isFull: boolean): Promise<void> {
  const count = isFull ? CONNECTIONS.full : CONNECTIONS.quick;
  printTitle(
    `Schedules: ${count.toLocaleString('en')} connections in ${WORKSPACES} workspaces fall due at the same time, processes: ${PROCESSES}`,
  );
  const bench = await PullBench.open();
  try {
    await bench.setVendor({});
    const api = await bench.startService({ JOBS: 'rest' });
    const workspaces = Array.from({ length: WORKSPACES }, (_, nth) => `w${nth}`);
    for (const [nth, workspace] of workspaces.entries()) {
      await connectAll(bench, api.origin, workspace, count / WORKSPACES);
      printProgress(`${((count / WORKSPACES) * (nth + 1)).toLocaleString('en')} connections`);
    }
    await api.stop();
    await bench.setVendor({});
    for (const sql of [SET_SCHEDULES, SET_JOBS, 'vacuum analyze'])
      await bench.database.orm.em.getConnection().execute(sql);
    const dueAt = Date.now();
    const services = await Promise.all(Array.from({ length: PROCESSES }, () => bench.startService()));
    const waiting = waitForStarts(bench, count);
    const usage = await Promise.all(services.map((service) => service.watch(async () => void (await waiting))));
    const starts = await waiting;
    const processor = usage.reduce((sum, one) => sum + one.processor, 0);
    const times = [...starts.values()].map((at) => at - dueAt).sort((a, b) => a - b);
    const last = (times.at(-1) ?? Number.POSITIVE_INFINITY) / 1_000;
    const isComplete = times.length === count;
    printFigure({
      name: 'seconds until the last sync has started',
      ...{
        figure: isComplete ? last.toFixed(0) : `${times.length} of ${count}`,
        isMet: isComplete && last <= MAX_SECONDS,
      },
      baseline: `limit: ${MAX_SECONDS} s   ratio ${(last / MAX_SECONDS).toFixed(2)}, at most 1`,
    });
    printFigure({
      name: 'CPU time of the processes per started sync',
      figure: `${((processor * 1_000) / times.length).toFixed(0)} ms`,
      baseline: 'excludes PostgreSQL, includes later steps of syncs that have started',
    });
    const half = dueAt + (times[times.length >> 1] ?? 0);
    const started = workspaces.map(
      (workspace) => [...starts].filter(([token, at]) => token.startsWith(`Bearer ${workspace}-`) && at <= half).length,
    );
    const ratio = Math.max(...started) / Math.min(...started);
    printFigure({
      name: 'started syncs per workspace when half have started',
      ...{ figure: `${Math.min(...started)} to ${Math.max(...started)}`, isMet: ratio <= MAX_RATIO },
      baseline: `ratio ${ratio.toFixed(2)}, at most ${MAX_RATIO}`,
    });
  } finally {
    await bench.close();
  }
}

async function connectAll(bench: PullBench, origin: string, workspace: string, count: number): Promise<void> {
  const headers = await bench.workspace(workspace);
  const id = await bench.connect(origin, headers, `${workspace}-0`);
  const path = `/api/vendors/tenant-connector-instances/${id}/schedule`;
  await call(origin, headers, 'PUT', path, { kind: 'interval', intervalMinutes: 1_440 });
  await bench.waitForCredentialTests();
  const tokens = Array.from({ length: count - 1 }, (_, nth) => `${workspace}-${nth + 1}`);
  await bench.cloneConnection(id, tokens);
}

async function waitForStarts(bench: PullBench, count: number): Promise<Map<string, number>> {
  const until = Date.now() + 2 * MAX_SECONDS * 1_000;
  for (;;) {
    const starts = new Map<string, number>();
    for (const { token, at } of await bench.vendorRequests()) if (!starts.has(token)) starts.set(token, at);
    printProgress(`${starts.size.toLocaleString('en')} of ${count.toLocaleString('en')} syncs started`);
    if (starts.size >= count || Date.now() > until) return starts;
    await wait(POLL_INTERVAL_MS);
  }
}
