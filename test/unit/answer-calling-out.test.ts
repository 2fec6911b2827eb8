import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/kernel/errors.js';
import { decodeId } from '../../src/kernel/ids.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { IdempotentAnswers } from '../../src/tenancy/idempotent-answers.js';
import type { RepeatableRequest } from '../../src/tenancy/repeatable-request.js';
import type { WorkspaceContext } from '../../src/tenancy/workspace-context.js';
import { rowsOf } from '../support/rows.js';
import { loginTo } from '../support/runtime-role.js';
import { aService } from '../support/service.js';
import { type ContextParts, contextsOn } from '../support/workspace-context.js';

const LEASE = 1_500;
/** Of one whose twins come before it is over, however busy the machine. */
const LONG_LEASE = 60_000;
const PATIENCE = 600;

const service = aService();
/** Two processes, as far as the database can tell. */
let here: ContextParts;
let there: ContextParts;
let count = 0;

beforeAll(() => {
  here = contextsOn(service);
  there = contextsOn(service);
});

afterAll(async () => {
  await here.orm.close(true);
  await there.orm.close(true);
});

function answersOf(times: { lease?: number; patience?: number } = {}): IdempotentAnswers {
  return new IdempotentAnswers({ lease: 60_000, patience: 10_000, ...times });
}

function aRequest(variables: object = { a: 1 }, key = `key-${++count}`): RepeatableRequest {
  return { key, operation: 'validateCredentials', variables, callsOut: true, takesSecret: false };
}

/** A third party that answers when it is told to, and counts how often it was called. */
function aVendor() {
  const reply = Promise.withResolvers<string>();
  const firstCall = Promise.withResolvers<void>();
  const vendor = {
    calls: 0,
    called: firstCall.promise,
    answer: reply.resolve,
    fail: reply.reject,
    call: () => {
      vendor.calls += 1;
      firstCall.resolve();
      return reply.promise;
    },
  };
  return vendor;
}

const says = (text: string) => async () => text;
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

function kept({ key }: RepeatableRequest): Promise<Record<string, unknown>[]> {
  return rowsOf(service, 'select reply, claimed_until from idempotent_request where key = $1', [key]);
}

describe('a request that calls out', () => {
  it('is done once, and answered alike, for 60 at once in two processes', async () => {
    const request = aRequest();
    const context = await here.aContext();
    let calls = 0;
    const answer = async () => {
      await sleep(100);
      return `"answer ${++calls}"`;
    };
    const processes = [
      { answers: answersOf(), context },
      { answers: answersOf(), context: there.again(context) },
    ];
    const all = processes.flatMap(({ answers, context }) =>
      Array.from({ length: 30 }, () => answers.once(context, request, answer)),
    );
    const answered = await Promise.all(all);
    expect(new Set(answered.map(({ text }) => text))).toEqual(new Set(['"answer 1"']));
    expect([calls, answered.filter(({ isReplay }) => !isReplay).length]).toEqual([1, 1]);
    expect(await kept(request)).toEqual([{ reply: '"answer 1"', claimed_until: null }]);
  });

  it('holds no connection meanwhile: 30 of them leave all of the pool to others', async () => {
    const context = await here.aContext();
    const answers = answersOf();
    const vendors = Array.from({ length: 30 }, aVendor);
    const answered = Promise.all(vendors.map((vendor) => answers.once(context, aRequest(), vendor.call)));
    await Promise.race([answered, Promise.all(vendors.map(({ called }) => called))]);

    const { role } = loginTo(service);
    const busy = `select state from pg_stat_activity where usename = $1 and state <> 'idle'`;
    expect(await rowsOf(service, busy, [role])).toEqual([]);
    const sleeps = () => context.write(({ em }) => em.execute('select pg_sleep(0.05)'));
    await Promise.all(Array.from({ length: 20 }, sleeps));
    expect(vendors.map(({ calls }) => calls)).toEqual(Array(30).fill(1));

    for (const [nth, vendor] of vendors.entries()) vendor.answer(`${nth}`);
    expect((await answered).map(({ text }) => text)).toEqual(vendors.map((_, nth) => `${nth}`));
  });

  it('writes on its own account, in transactions that others see at once', async () => {
    const request = aRequest();
    const context = await here.aContext();
    const seen = await answersOf().once(context, request, async (inside) => {
      await inside.write(({ em }) => em.execute('update idempotent_request set fingerprint = fingerprint'));
      return JSON.stringify((await kept(request)).length);
    });
    expect(seen).toEqual({ text: '1', isReplay: false });
  });

  it('is a replay afterwards, in any process, and with another body a reused key', async () => {
    const request = aRequest();
    const context = await here.aContext();
    await answersOf().once(context, request, says('"first"'));
    for (const again of [context, there.again(context)]) {
      expect(await answersOf().once(again, request, says('"second"'))).toEqual({ text: '"first"', isReplay: true });
      const other = aRequest({ a: 2 }, request.key);
      expect(await codeOf(answersOf().once(again, other, says('"third"')))).toBe('IDEMPOTENCY_KEY_REUSED');
    }
    const stranger = await here.aContext();
    expect(await answersOf().once(stranger, request, says('"theirs"'))).toEqual({ text: '"theirs"', isReplay: false });
  });

  it('that fails gives its key up at once, also for another body', async () => {
    const request = aRequest();
    const context = await here.aContext();
    const fails = () => Promise.reject(new AppError('OAUTH_REFUSED', 'No.'));
    expect(await codeOf(answersOf().once(context, request, fails))).toBe('OAUTH_REFUSED');
    expect(await kept(request)).toEqual([]);
    const other = aRequest({ a: 2 }, request.key);
    expect(await answersOf().once(context, other, says('"done"'))).toEqual({ text: '"done"', isReplay: false });
  });

  it('that fails hands on to a twin that waits, in this process and in another', async () => {
    const request = aRequest();
    const context = await here.aContext();
    const vendor = aVendor();
    const answers = answersOf();
    const first = codeOf(answers.once(context, request, vendor.call));
    await vendor.called;
    const twins = [
      answers.once(context, request, says('"x"')),
      answersOf().once(there.again(context), request, says('"x"')),
    ];
    vendor.fail(new AppError('CONFLICT', 'No.'));
    expect(await first).toBe('CONFLICT');
    expect((await Promise.all(twins)).map(({ isReplay }) => isReplay).sort()).toEqual([false, true]);
  });
});

describe('a twin of one that is long under way', () => {
  async function longUnderWay(lease = LEASE) {
    const request = aRequest();
    const context = await here.aContext();
    const vendor = aVendor();
    const answers = answersOf({ lease, patience: PATIENCE });
    const answered = answers.once(context, request, vendor.call);
    await vendor.called;
    const others = answersOf({ lease, patience: PATIENCE });
    const elsewhere = (answer: () => Promise<string>, twin = request) =>
      others.once(there.again(context), twin, answer);
    return { request, context, vendor, answers, answered, elsewhere };
  }

  it('is a conflict once it has waited, in this process and in another, and is not done', async () => {
    const { request, context, vendor, answers, answered, elsewhere } = await longUnderWay(60_000);
    const twin = aVendor();
    const startedAt = performance.now();
    const codes = [codeOf(answers.once(context, request, twin.call)), codeOf(elsewhere(twin.call))];
    expect(await Promise.all(codes)).toEqual(['CONFLICT', 'CONFLICT']);
    expect(performance.now() - startedAt).toBeGreaterThan(PATIENCE / 2);
    vendor.answer('"first"');
    expect([await answered, twin.calls]).toEqual([{ text: '"first"', isReplay: false }, 0]);
    expect(await elsewhere(twin.call)).toEqual({ text: '"first"', isReplay: true });
  });

  it('is a reused key where its body is another', async () => {
    const { request, vendor, answered, elsewhere } = await longUnderWay();
    const other = aRequest({ a: 2 }, request.key);
    expect(await codeOf(elsewhere(says('"x"'), other))).toBe('IDEMPOTENCY_KEY_REUSED');
    await sleep(LEASE + 100);
    expect(await codeOf(elsewhere(says('"x"'), other))).toBe('IDEMPOTENCY_KEY_REUSED');
    vendor.answer('"first"');
    await answered;
  });

  it.each<[string, (vendor: ReturnType<typeof aVendor>) => void]>([
    ['answers', (vendor) => vendor.answer('"late"')],
    ['fails', (vendor) => vendor.fail(new AppError('CONFLICT', 'Late.'))],
  ])('takes the key over after the lease, and the first that %s late changes nothing of that', async (_, end) => {
    const { request, vendor, answered, elsewhere } = await longUnderWay();
    await sleep(LEASE + 100);
    expect(await elsewhere(says('"second"'))).toEqual({ text: '"second"', isReplay: false });
    end(vendor);
    await codeOf(answered);
    expect(await kept(request)).toEqual([{ reply: '"second"', claimed_until: null }]);
  });

  it('waits for the lease that its route names, where it names one', async () => {
    const request = { ...aRequest(), lease: 3_700 };
    const context = await here.aContext();
    const vendor = aVendor();
    const answered = answersOf({ lease: LEASE }).once(context, request, vendor.call);
    await vendor.called;
    const [claim] = await kept(request);
    const seconds = (Number(claim?.claimed_until) - Date.now()) / 1_000;
    expect(Math.round(seconds / 100)).toBe(37);
    vendor.answer('"first"');
    await answered;
  });
});

describe('a service that is killed in between', () => {
  /** Claims the key in a process of its own, and is killed while it calls out. */
  async function claimAndDie(context: WorkspaceContext, request: RepeatableRequest): Promise<void> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', CLAIMING], {
      cwd: PROJECT_ROOT,
      env: {
        DATABASE: loginTo(service).url,
        CALLER: JSON.stringify({ ...context.caller, grants: [] }),
        REQUEST: JSON.stringify(request),
        LEASE: String(LONG_LEASE),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  const CLAIMING = `
    import 'reflect-metadata';
    import { createOrm } from './dist/src/orm.js';
    import { Tables } from './dist/src/kernel/tables.js';
    import { IdempotentAnswers } from './dist/src/tenancy/idempotent-answers.js';
    import { writeAs } from './dist/src/tenancy/workspace-transaction.js';
    const { DATABASE, CALLER, REQUEST, LEASE } = process.env;
    const orm = createOrm(DATABASE);
    const tables = new Tables(orm.getMetadata());
    const caller = JSON.parse(CALLER);
    const context = { caller, write: (work) => writeAs(orm.em, tables, caller, 'killed', work) };
    await new IdempotentAnswers({ lease: Number(LEASE), patience: 0 }).once(context, JSON.parse(REQUEST), () => {
      console.log('calling out');
      return new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;

  it('leaves a claim that ends with its lease, and the key works again', async () => {
    const request = aRequest();
    const context = await here.aContext();
    await claimAndDie(context, request);
    const [claim] = await rowsOf(
      service,
      'select tenant_id, reply, claimed_until - created_at as lease from idempotent_request where key = $1',
      [request.key],
    );
    expect(claim).toEqual({ tenant_id: decodeId(context.caller.tenantId), reply: '', lease: { minutes: 1 } });
    expect(await codeOf(answersOf({ patience: 0 }).once(context, request, says('"x"')))).toBe('CONFLICT');
    const again = answersOf().once(context, request, says('"again"'));
    await rowsOf(service, 'update idempotent_request set claimed_until = now() where key = $1', [request.key]);
    expect(await again).toEqual({ text: '"again"', isReplay: false });
    expect(await answersOf().once(context, request, says('"x"'))).toEqual({ text: '"again"', isReplay: true });
  });
});
