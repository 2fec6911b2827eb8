import { Counter, Gauge, type Registry } from 'prom-client';
import type { StepQueueState } from '../syncs/runs/read-step-queue.js';
import { requestEnded, stepEnded, stepStarted, tapRunEnded } from '../syncs/sync-events.js';

const STATES = ['due', 'waiting', 'running'] as const;

/** Rejects while the database is unavailable. */
export type ReadStepQueue = () => Promise<StepQueueState>;

/**
 * Counters cover this process, and the queue gauges cover all processes. The label `vendor` has one value per vendor in
 * use. Returns a function that ends the measurement.
 */
export function measureSyncs(registry: Registry, readStepQueue: ReadStepQueue): () => void {
  addQueueGauges(registry, readStepQueue);
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `taproot_sync_${name}`, help, labelNames, registers: [registry] });
  const runs = counter('tap_runs_total', 'Tap runs that ended, by status and error class.', [
    ...['status', 'error_class'],
  ]);
  const steps = counter('steps_total', 'Steps of tap runs, by vendor and outcome.', ['vendor', 'outcome']);
  const requests = counter('requests_total', 'Requests that syncs sent to vendors, by vendor and HTTP status.', [
    ...['vendor', 'status'],
  ]);
  const retries = counter('retries_total', 'Requests that repeat a failed request, by vendor.', ['vendor']);
  const waits = counter(
    'waits_total',
    'Steps that ended with a pause, such as for a rate limit or a running query, by vendor.',
    ['vendor'],
  );
  const records = counter('records_total', 'Records stored, by mode of the tap run.', ['mode']);
  const bytes = counter('bytes_total', 'Size of the response bodies of committed pages, by mode of the tap run.', [
    'mode',
  ]);
  const slices = new Gauge({
    name: 'taproot_sync_slices_waiting',
    help: 'Slices that were unread when their step started, for all steps that run in this process.',
    registers: [registry],
  });
  const subscriptions = [
    tapRunEnded.subscribe(({ status, errorClass }) => runs.inc({ status, error_class: errorClass ?? 'none' })),
    requestEnded.subscribe(({ vendor, trace: { status, attempt } }) => {
      requests.inc({ vendor, status: status ?? 'none' });
      if (attempt > 1) retries.inc({ vendor });
    }),
    stepStarted.subscribe(({ slicesLeft }) => slices.inc(slicesLeft)),
    stepEnded.subscribe(({ vendor, mode, outcome, counts, slicesLeft }) => {
      slices.dec(slicesLeft);
      steps.inc({ vendor, outcome });
      if (outcome === 'waiting') waits.inc({ vendor });
      records.inc({ mode }, counts.recordsWritten);
      bytes.inc({ mode }, counts.bytesRead);
    }),
  ];
  return () => {
    for (const end of subscriptions) end();
  };
}

/** While the database is unavailable, the gauges have no values, so that a scrape does not fail. */
function addQueueGauges(registry: Registry, readStepQueue: ReadStepQueue): void {
  let reading: Promise<StepQueueState | undefined> | undefined;
  const read = (): Promise<StepQueueState | undefined> =>
    (reading ??= readStepQueue()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      }));
  new Gauge({
    name: 'taproot_sync_steps_due_seconds',
    help: 'Seconds that the oldest due step has waited for a worker. All processes return the same value.',
    registers: [registry],
    async collect() {
      const state = await read();
      if (state) this.set(state.oldestDueSeconds);
      else this.remove();
    },
  });
  new Gauge({
    name: 'taproot_sync_steps',
    help: 'Number of steps that are due, waiting for a vendor or running, over all processes.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const state = await read();
      this.reset();
      for (const name of STATES) if (state) this.set({ state: name }, state[name]);
    },
  });
}
