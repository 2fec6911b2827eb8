import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOrm } from '../../src/database/orm.js';
import { DatabaseUnavailable } from '../../src/kernel/errors.js';
import { JobQueueError } from '../../src/kernel/jobs/jobs.js';
import { captureStatements } from '../support/database/captured-statements.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { aSeverableProxy } from '../support/database/severable-proxy.js';
import {
  FAST_RETRY_OPTIONS,
  recordingHandler,
  type TestJobs,
  testJobs,
  waitUntil,
} from '../support/database/test-jobs.js';

const short = { name: 'short', ...FAST_RETRY_OPTIONS };

let test: TestJobs;

beforeEach(async () => {
  test = await testJobs([short]);
});

afterEach(() => test.close());

const greet = (name: string) => test.commit((em) => test.jobs.enqueue(em, short, { name }));

describe('a database outage', () => {
  it('stops no process, is reported once, and the workers recover', async () => {
    const printed = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
    const { runs, kind } = recordingHandler(short);
    const wire = await aSeverableProxy(test.url);
    await test.work([kind()], { databaseUrl: wire.url });
    await greet('before');
    await waitUntil(() => runs.length === 1);
    wire.cut();
    await sleep(3_000);
    await greet('meanwhile');
    expect(runs).toHaveLength(1);
    wire.mend();
    await waitUntil(() => runs.length === 2);
    await greet('after');
    await waitUntil(() => runs.length === 3);
    expect(test.reports).toEqual([{ error: expect.any(JobQueueError), jobId: undefined }]);
    for (const print of printed) expect(print).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    wire.close();
  });

  it('terminates the sessions of the workers, and they reconnect', async () => {
    const { runs, kind } = recordingHandler(short);
    await test.work([kind()]);
    const ended = await queryAsOwner(
      test,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'pgboss'`,
    );
    expect(ended.length).toBeGreaterThan(1); // including the session that listens
    await greet('Ada');
    await waitUntil(() => runs.length === 1);
  });

  it('throws for callers that enqueue during it', async () => {
    const wire = await aSeverableProxy(test.url);
    const orm = createOrm(wire.url);
    const em = orm.em.fork();
    await em.begin();
    wire.cut();
    await expect(test.jobs.enqueue(em, short, { name: 'Ada' })).rejects.toThrow(DatabaseUnavailable);
    await em.rollback().catch(() => undefined);
    await orm.close(true);
    wire.close();
  });
});

describe('finished jobs', () => {
  it('are kept for a week', async () => {
    const aged = (days: number) =>
      queryAsOwner(
        test,
        `update taproot_jobs.job set state = 'completed', completed_on = now() - $1 * interval '1 day' where state = 'created'`,
        [days],
      );
    await greet('old');
    await aged(8);
    await greet('recent');
    await aged(6);
    await test.work([recordingHandler(short).kind()]);
    const left = () => queryAsOwner(test, `select data->>'name' as name from taproot_jobs.job`);
    await waitUntil(async () => (await left()).length < 2);
    expect(await left()).toEqual([{ name: 'recent' }]);
    expect(test.reports).toEqual([]);
  });
});

describe('a process without workers', () => {
  it('sends no queries on its own', async () => {
    expect(await captureStatements(() => sleep(3_000))).toEqual([]);
  });
});
