import type { Pool } from 'pg';
import { JOBS_SCHEMA } from '../../kernel/jobs/job-queue.js';
import { syncStepQueue } from './sync-step-job.js';

export interface StepQueueState {
  /** Number of due steps that no worker has started yet. */
  readonly due: number;
  /** Number of steps that wait for a vendor or for a retry. */
  readonly waiting: number;
  readonly running: number;
  /** Seconds since the oldest due step became due. 0 if no step is due. */
  readonly oldestDueSeconds: number;
}

const SELECT = `
select count(*) filter (where state < 'active' and start_after <= now()) as due,
  count(*) filter (where state < 'active' and start_after > now()) as waiting,
  count(*) filter (where state = 'active') as running,
  coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0) as oldest
from ${JOBS_SCHEMA}.job where name = $1 and state < 'completed'`;

export async function readStepQueue(pool: Pool): Promise<StepQueueState> {
  const { rows } = await pool.query(SELECT, [syncStepQueue.name]);
  const [{ due, waiting, running, oldest }] = rows as [Record<'due' | 'waiting' | 'running' | 'oldest', string>];
  return { due: Number(due), waiting: Number(waiting), running: Number(running), oldestDueSeconds: Number(oldest) };
}
