import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseAway } from '../../src/kernel/errors.js';
import { QueueTrouble } from '../../src/kernel/jobs.js';
import { createOrm } from '../../src/orm.js';
import { greetings, QUICK, type TestJobs, testJobs, waitUntil } from '../support/jobs.js';
import { aWire } from '../support/proxy.js';
import { rowsOf } from '../support/rows.js';
import { statementsOf } from '../support/statements.js';

const short = { name: 'short', ...QUICK };

let test: TestJobs;

beforeEach(async () => {
  test = await testJobs([short]);
});

afterEach(() => test.close());

const greet = (name: string) => test.commit((em) => test.jobs.enqueue(em, short, { name }));

describe('a database that goes away', () => {
  it('ends no process, is told once, and finds the workers at work when it is back', async () => {
    const printed = [jest.spyOn(console, 'log'), jest.spyOn(console, 'error'), jest.spyOn(console, 'warn')];
    const { runs, kind } = greetings(short);
    const wire = await aWire(test.url);
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
    expect(test.reports).toEqual([{ error: expect.any(QueueTrouble), jobId: undefined }]);
    for (const print of printed) expect(print).not.toHaveBeenCalled();
    jest.restoreAllMocks();
    wire.close();
  });

  it('takes its sessions from the workers, and they go on', async () => {
    const { runs, kind } = greetings(short);
    await test.work([kind()]);
    const ended = await rowsOf(
      test,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'pgboss'`,
    );
    expect(ended.length).toBeGreaterThan(1); // the one that listens is among them
    await greet('Ada');
    await waitUntil(() => runs.length === 1);
  });

  it('is told to who enqueues in the middle of it', async () => {
    const wire = await aWire(test.url);
    const orm = createOrm(wire.url);
    const em = orm.em.fork();
    await em.begin();
    wire.cut();
    await expect(test.jobs.enqueue(em, short, { name: 'Ada' })).rejects.toThrow(DatabaseAway);
    await em.rollback().catch(() => undefined);
    await orm.close(true);
    wire.close();
  });
});

describe('finished jobs', () => {
  it('are kept for a week', async () => {
    const aged = (days: number) =>
      rowsOf(
        test,
        `update taproot_jobs.job set state = 'completed', completed_on = now() - $1 * interval '1 day' where state = 'created'`,
        [days],
      );
    await greet('old');
    await aged(8);
    await greet('recent');
    await aged(6);
    await test.work([greetings(short).kind()]);
    const left = () => rowsOf(test, `select data->>'name' as name from taproot_jobs.job`);
    await waitUntil(async () => (await left()).length < 2);
    expect(await left()).toEqual([{ name: 'recent' }]);
    expect(test.reports).toEqual([]);
  });
});

describe('a process that only serves', () => {
  it('asks nothing of the database by itself', async () => {
    expect(await statementsOf(() => sleep(3_000))).toEqual([]);
  });
});
