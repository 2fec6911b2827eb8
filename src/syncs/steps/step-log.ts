import type { EntityManager } from '@mikro-orm/postgresql';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { RequestTrace } from '../reading/request-trace.js';
import type { RunCounts } from '../run-counts.js';
import { MAX_TIMELINE_REQUESTS, MAX_TIMELINE_STEPS, type TapRunStep } from '../tap-run-timeline.js';

const latestSql = (column: string, limit: number) => `
  (select coalesce(json_agg(item order by nth), '[]') from (
    select item, nth from jsonb_array_elements(tap_run_log.${column}::jsonb || excluded.${column}::jsonb)
      with ordinality as items (item, nth) order by nth desc limit ${limit}
  ) latest)`;

const APPEND = `
insert into tap_run_log (id, tenant_id, tap_run_id, steps, requests) values (gen_random_uuid(), ?, ?, ?::json, ?::json)
on conflict (tenant_id, tap_run_id) do update set
  steps = ${latestSql('steps', MAX_TIMELINE_STEPS)},
  requests = ${latestSql('requests', MAX_TIMELINE_REQUESTS)}`;

export type StepEnding = Pick<TapRunStep, 'outcome' | 'waitUntil' | 'errorClass' | 'errorMessage'>;

interface StepEntry extends StepEnding {
  readonly counts: RunCounts;
}

/** Data of one step for the timeline of the run. */
export class StepLog {
  readonly #startedAt = new Date();
  readonly #latest: RequestTrace[] = [];
  #requests = 0;

  /** Includes failed requests. */
  get requests(): number {
    return this.#requests;
  }

  add(trace: RequestTrace): void {
    this.#requests += 1;
    this.#latest.push(trace);
    if (this.#latest.length > MAX_TIMELINE_REQUESTS) this.#latest.shift();
  }

  /** Saves the step in the transaction of `em`. */
  async save(
    em: EntityManager,
    { tenantId, runId }: { readonly tenantId: string; readonly runId: string },
    { counts, ...end }: StepEntry,
  ): Promise<void> {
    const step: TapRunStep = { startedAt: this.#startedAt, endedAt: new Date(), ...counts, ...end };
    const ids = [tenantId, runId].map(decodeId);
    await deferPrepared(em, APPEND, [...ids, JSON.stringify([step]), JSON.stringify(this.#latest)]);
  }
}
