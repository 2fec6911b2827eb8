import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ServedPage } from './paged-vendor.js';

/** The committed position of a slice, as the number of pages that no later step reads again. */
interface Committed {
  readonly pages: number;
  /** Time after the commit, as `performance.now()`. */
  readonly at: number;
}

const SELECT_RUNS = `
select id, status, committed::text || slices_done as progress from tap_run where status in ('running', 'waiting')`;

const SELECT_SLICES = `
select r.tap_run_id, d.name, s.variables ->> 'groupId' as "group",
  (extract(epoch from s.since) * 1000)::bigint as since, s.state,
  coalesce(s.page_token ->> 'page', s.page_token ->> 'cursor')::int - 1 as pages
from (select distinct tap_run_id from sync_slice) r join sync_slice s on s.tap_run_id = r.tap_run_id
join tap_run t on t.id = s.tap_run_id join tenant_connector_tap d on d.id = t.tap_id
where s.state <> 'open' or s.page_token is not null`;

const INTERVAL_MS = 500;

/** Reads the open tap runs from the database while the test kills processes and the database. */
export class SyncObserver {
  /** Longest time without a committed page in a running tap run, in milliseconds. */
  longestGapMs = 0;
  readonly #progress = new Map<string, { text: string; at: number }>();
  readonly #committed = new Map<string, Committed[]>();
  #isOver = false;
  readonly #observing: Promise<void>;

  constructor(private readonly databaseUrl: string) {
    this.#observing = this.#observe();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#observing;
  }

  /** Returns the pages that the service requested although an earlier step had committed them. */
  requestedAfterCommit(served: readonly ServedPage[]): ServedPage[] {
    return served.filter(({ slice, page, at }) =>
      this.#committed.get(slice)?.some((committed) => committed.at < at && page <= committed.pages),
    );
  }

  /** Forgets the progress of earlier syncs. */
  reset(): void {
    this.#committed.clear();
    this.#progress.clear();
  }

  async #observe(): Promise<void> {
    while (!this.#isOver) {
      const client = new pg.Client({ connectionString: this.databaseUrl });
      client.on('error', () => undefined);
      try {
        await client.connect();
        while (!this.#isOver) {
          this.#followRuns((await client.query(SELECT_RUNS)).rows);
          this.#followSlices((await client.query(SELECT_SLICES)).rows);
          await sleep(INTERVAL_MS);
        }
      } catch {
        await sleep(INTERVAL_MS); // PostgreSQL may be restarting.
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  #followRuns(runs: readonly { id: string; progress: string }[]): void {
    const now = performance.now();
    for (const { id, progress } of runs) {
      const before = this.#progress.get(id);
      if (before) this.longestGapMs = Math.max(this.longestGapMs, now - before.at);
      if (before?.text !== progress) this.#progress.set(id, { text: progress, at: now });
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows of the database
  #followSlices(slices: readonly any[]): void {
    const at = performance.now();
    for (const { name, group, since, state, pages } of slices) {
      const slice = `${name} ${group} ${name === 'changes' ? (since ?? 0) : ''}`;
      const all = state === 'open' ? pages : Number.POSITIVE_INFINITY;
      const known = this.#committed.get(slice) ?? [];
      if (known.at(-1)?.pages !== all) this.#committed.set(slice, [...known, { pages: all, at }]);
    }
  }
}
