import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { JOBS_SCHEMA } from '../../kernel/jobs/job-queue.js';
import { syncStepQueue } from './sync-step-job.js';

/** Work that is not urgent pauses if a due sync waits longer than this for a worker. */
const MAX_WAIT_SECONDS = 5;

const POLL_MS = 5_000;

/** Longest pause. Afterwards, the work continues, and pauses again only after a check has found no backlog. */
const MAX_PAUSE_MS = 600_000;

/**
 * Finds a tap run whose first step waits too long. Only first steps have a priority. Ignores workspaces with the
 * maximum number of active steps: even an idle worker does not start further steps of such a workspace.
 */
const SELECT_BACKLOG = `
with busy as (
  select group_id from ${JOBS_SCHEMA}.job where name = '${syncStepQueue.name}' and state = 'active'
  group by group_id having count(*) >= ${syncStepQueue.perTenant}
)
select 1 from ${JOBS_SCHEMA}.job j
where name = '${syncStepQueue.name}' and state = 'created' and priority > 0 and start_after < now() - interval '${MAX_WAIT_SECONDS} seconds'
  and not exists (select from busy where busy.group_id = j.group_id)
limit 1`;

interface PauseTimes {
  readonly pollMs?: number;
  readonly maxMs?: number;
}

/** Delays work that is not urgent while due syncs wait for a worker. Each process has one instance. */
export class SyncBacklog {
  #pausedAt: number | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly times: PauseTimes = {},
  ) {}

  /** Waits while due syncs wait for a worker, but at most `maxMs`. Throws when `signal` is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    const { pollMs = POLL_MS, maxMs = MAX_PAUSE_MS } = this.times;
    while (await this.#hasBacklog()) {
      this.#pausedAt ??= performance.now();
      if (performance.now() - this.#pausedAt >= maxMs) return;
      await sleep(pollMs, undefined, { signal });
    }
    this.#pausedAt = undefined;
  }

  async #hasBacklog(): Promise<boolean> {
    return (await this.em.getConnection().execute<unknown[]>(SELECT_BACKLOG)).length > 0;
  }
}
