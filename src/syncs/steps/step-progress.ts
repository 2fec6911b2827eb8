import { executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../../tables/table-context.js';
import { addCounts, type RunCounts } from '../run-counts.js';
import type { LoadedRun } from '../runs/load-run.js';

/** Ends a step without a commit of its pages. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';

  constructor() {
    super('The tap run has ended.');
  }
}

const INTERVAL_MS = 1_000;

const SAVE_RUN = `
update tap_run set records_read = ?, records_written = ?, records_rejected = ?, bytes_read = ?, requests = ?, slices_done = ?, updated_at = now()
where tenant_id = ? and id = ? and status = 'running' returning id`;

const SAVE_JOB = `
update sync_job set records_read = least(s.read, 2147483647), records_written = least(s.written, 2147483647),
  records_rejected = least(s.rejected, 2147483647), updated_at = now()
from (
  select sum(records_read) as read, sum(records_written) as written, sum(records_rejected) as rejected
  from tap_run where tenant_id = ? and job_id = ?
) s where tenant_id = ? and id = ? and status = 'running'`;

/** Once a second, saves the counts of a running step, and aborts `signal` if the tap run has ended. */
export class StepProgress {
  readonly #ended = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #saving: Promise<void> | undefined;

  constructor(
    private readonly services: TableServices,
    private readonly loaded: LoadedRun,
    private readonly current: () => RunCounts,
    intervalMs = INTERVAL_MS,
  ) {
    this.#timer = setInterval(() => {
      this.#saving ??= this.#save()
        .catch(() => undefined) // The next call saves the counts.
        .finally(() => (this.#saving = undefined));
    }, intervalMs).unref();
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#saving;
  }

  async #save(): Promise<void> {
    const { em, tables } = this.services;
    const { tenantId, runId, jobId, run } = this.loaded;
    const all = addCounts(run.committed, this.current());
    const values = [all.recordsRead, all.recordsWritten, all.recordsRejected, all.bytesRead, all.requests];
    const ids = [tenantId, runId].map(decodeId);
    const found = await runTenantTransaction(em, tables, tenantId, (tx) =>
      executePrepared<unknown>(tx.em, SAVE_RUN, [...values, all.slicesDone, ...ids]),
    );
    if (found.length === 0) this.#ended.abort(new RunEnded());
    // A separate transaction, so that the row of the run is not locked while this statement waits for the row of the
    // job.
    const job = [tenantId, jobId].map(decodeId);
    await runTenantTransaction(em, tables, tenantId, (tx) => executePrepared(tx.em, SAVE_JOB, [...job, ...job]));
  }
}
