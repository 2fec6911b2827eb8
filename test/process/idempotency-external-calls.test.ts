import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/kernel/errors.js';
import { decodeId } from '../../src/kernel/ids.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import type { KeyedRequest } from '../../src/tenancy/idempotency/idempotency-key.js';
import { IdempotentExecutor } from '../../src/tenancy/idempotency/idempotent-executor.js';
import type { WorkspaceContext } from '../../src/tenancy/workspace-context.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { loginTo } from '../support/database/runtime-role.js';
import { aService } from '../support/service/service.js';
import { type ContextServices, contextServicesOf } from '../support/service/workspace-context.js';

const LEASE_MS = 1_500;
/** A lease of this length is still valid when the duplicates of a request arrive, even on a busy machine. */
const LONG_LEASE_MS = 60_000;
const WAIT_TIMEOUT_MS = 600;

const service = aService();
/** Two services with separate pools, as in two processes. */
let here: ContextServices;
let there: ContextServices;
let count = 0;

beforeAll(() => {
  here = contextServicesOf(service);
  there = contextServicesOf(service);
});

afterAll(async () => {
  await here.orm.close(true);
  await there.orm.close(true);
});

function answersOf(times: { leaseMs?: number; waitTimeoutMs?: number } = {}): IdempotentExecutor {
  return new IdempotentExecutor({ leaseMs: 60_000, waitTimeoutMs: 10_000, ...times });
}

function aRequest(variables: object = { a: 1 }, key = `key-${++count}`): KeyedRequest {
  return { key, operation: 'validateCredentials', variables, callsOut: true, takesSecret: false };
}

/** The vendor responds only after `answer` or `fail`. It counts the calls that it receives. */
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

function kept({ key }: KeyedRequest): Promise<Record<string, unknown>[]> {
  return queryAsOwner(service, 'select reply, claimed_until from idempotent_request where key = $1', [key]);
}

describe('a request that calls out', () => {
  it('is executed once and returns the same response to 60 concurrent duplicates in two processes', async () => {
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
      Array.from({ length: 30 }, () => answers.execute(context, request, answer)),
    );
    const answered = await Promise.all(all);
    expect(new Set(answered.map(({ text }) => text))).toEqual(new Set(['"answer 1"']));
    expect([calls, answered.filter(({ isReplay }) => !isReplay).length]).toEqual([1, 1]);
    expect(await kept(request)).toEqual([{ reply: '"answer 1"', claimed_until: null }]);
  });

  it('holds no connection while it runs: 30 such requests leave the whole pool to other requests', async () => {
    const context = await here.aContext();
    const answers = answersOf();
    const vendors = Array.from({ length: 30 }, aVendor);
    const answered = Promise.all(vendors.map((vendor) => answers.execute(context, aRequest(), vendor.call)));
    await Promise.race([answered, Promise.all(vendors.map(({ called }) => called))]);

    const { role } = loginTo(service);
    const busy = `select state from pg_stat_activity where usename = $1 and state <> 'idle'`;
    expect(await queryAsOwner(service, busy, [role])).toEqual([]);
    const sleeps = () => context.write(({ em }) => em.execute('select pg_sleep(0.05)'));
    await Promise.all(Array.from({ length: 20 }, sleeps));
    expect(vendors.map(({ calls }) => calls)).toEqual(Array(30).fill(1));

    for (const [nth, vendor] of vendors.entries()) vendor.answer(`${nth}`);
    expect((await answered).map(({ text }) => text)).toEqual(vendors.map((_, nth) => `${nth}`));
  });

  it('writes in separate transactions, which are visible to other requests immediately', async () => {
    const request = aRequest();
    const context = await here.aContext();
    const seen = await answersOf().execute(context, request, async (inside) => {
      await inside.write(({ em }) => em.execute('update idempotent_request set fingerprint = fingerprint'));
      return JSON.stringify((await kept(request)).length);
    });
    expect(seen).toEqual({ text: '1', isReplay: false });
  });

  it('is replayed afterwards in any process, and rejected with a different body', async () => {
    const request = aRequest();
    const context = await here.aContext();
    await answersOf().execute(context, request, says('"first"'));
    for (const again of [context, there.again(context)]) {
      expect(await answersOf().execute(again, request, says('"second"'))).toEqual({ text: '"first"', isReplay: true });
      const other = aRequest({ a: 2 }, request.key);
      expect(await codeOf(answersOf().execute(again, other, says('"third"')))).toBe('IDEMPOTENCY_KEY_REUSED');
    }
    const stranger = await here.aContext();
    expect(await answersOf().execute(stranger, request, says('"theirs"'))).toEqual({
      text: '"theirs"',
      isReplay: false,
    });
  });

  it('releases its key immediately on failure, even for a different body', async () => {
    const request = aRequest();
    const context = await here.aContext();
    const fails = () => Promise.reject(new AppError('OAUTH_REFUSED', 'No.'));
    expect(await codeOf(answersOf().execute(context, request, fails))).toBe('OAUTH_REFUSED');
    expect(await kept(request)).toEqual([]);
    const other = aRequest({ a: 2 }, request.key);
    expect(await answersOf().execute(context, other, says('"done"'))).toEqual({ text: '"done"', isReplay: false });
  });

  it('passes the key to a waiting duplicate on failure, in this process and in another', async () => {
    const request = aRequest();
    const context = await here.aContext();
    const vendor = aVendor();
    const answers = answersOf();
    const first = codeOf(answers.execute(context, request, vendor.call));
    await vendor.called;
    const duplicates = [
      answers.execute(context, request, says('"x"')),
      answersOf().execute(there.again(context), request, says('"x"')),
    ];
    vendor.fail(new AppError('CONFLICT', 'No.'));
    expect(await first).toBe('CONFLICT');
    expect((await Promise.all(duplicates)).map(({ isReplay }) => isReplay).sort()).toEqual([false, true]);
  });
});

describe('a duplicate of a long-running request', () => {
  async function longUnderWay(lease = LEASE_MS) {
    const request = aRequest();
    const context = await here.aContext();
    const vendor = aVendor();
    const answers = answersOf({ leaseMs: lease, waitTimeoutMs: WAIT_TIMEOUT_MS });
    const answered = answers.execute(context, request, vendor.call);
    await vendor.called;
    const others = answersOf({ leaseMs: lease, waitTimeoutMs: WAIT_TIMEOUT_MS });
    const elsewhere = (answer: () => Promise<string>, duplicate = request) =>
      others.execute(there.again(context), duplicate, answer);
    return { request, context, vendor, answers, answered, elsewhere };
  }

  it('fails with a conflict after waiting, in this process and in another, and is not executed', async () => {
    const { request, context, vendor, answers, answered, elsewhere } = await longUnderWay(60_000);
    const otherVendor = aVendor();
    const startedAt = performance.now();
    const codes = [codeOf(answers.execute(context, request, otherVendor.call)), codeOf(elsewhere(otherVendor.call))];
    expect(await Promise.all(codes)).toEqual(['CONFLICT', 'CONFLICT']);
    expect(performance.now() - startedAt).toBeGreaterThan(WAIT_TIMEOUT_MS / 2);
    vendor.answer('"first"');
    expect([await answered, otherVendor.calls]).toEqual([{ text: '"first"', isReplay: false }, 0]);
    expect(await elsewhere(otherVendor.call)).toEqual({ text: '"first"', isReplay: true });
  });

  it('fails with IDEMPOTENCY_KEY_REUSED if its body differs', async () => {
    const { request, vendor, answered, elsewhere } = await longUnderWay();
    const other = aRequest({ a: 2 }, request.key);
    expect(await codeOf(elsewhere(says('"x"'), other))).toBe('IDEMPOTENCY_KEY_REUSED');
    await sleep(LEASE_MS + 100);
    expect(await codeOf(elsewhere(says('"x"'), other))).toBe('IDEMPOTENCY_KEY_REUSED');
    vendor.answer('"first"');
    await answered;
  });

  it.each<[string, (vendor: ReturnType<typeof aVendor>) => void]>([
    ['succeeds', (vendor) => vendor.answer('"late"')],
    ['fails', (vendor) => vendor.fail(new AppError('CONFLICT', 'Late.'))],
  ])(
    'takes over the key after the lease; if the first request then %s, the outcome does not change',
    async (_, end) => {
      const { request, vendor, answered, elsewhere } = await longUnderWay();
      await sleep(LEASE_MS + 100);
      expect(await elsewhere(says('"second"'))).toEqual({ text: '"second"', isReplay: false });
      end(vendor);
      await codeOf(answered);
      expect(await kept(request)).toEqual([{ reply: '"second"', claimed_until: null }]);
    },
  );

  it('waits for the lease of its operation instead of the default, if the operation has a lease', async () => {
    const request = { ...aRequest(), leaseSeconds: 3_700 };
    const context = await here.aContext();
    const vendor = aVendor();
    const answered = answersOf({ leaseMs: LEASE_MS }).execute(context, request, vendor.call);
    await vendor.called;
    const [claim] = await kept(request);
    const seconds = (Number(claim?.claimed_until) - Date.now()) / 1_000;
    expect(Math.round(seconds / 100)).toBe(37);
    vendor.answer('"first"');
    await answered;
  });
});

describe('a service that is killed during the call', () => {
  /** Claims the key in a separate process, which is killed during the outbound call. */
  async function claimAndDie(context: WorkspaceContext, request: KeyedRequest): Promise<void> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', CLAIMING], {
      cwd: PROJECT_ROOT,
      env: {
        DATABASE: loginTo(service).url,
        CALLER: JSON.stringify({ ...context.caller, grants: [] }),
        REQUEST: JSON.stringify(request),
        LEASE: String(LONG_LEASE_MS),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  const CLAIMING = `
    import 'reflect-metadata';
    import { createOrm } from './dist/src/database/orm.js';
    import { EntityTables } from './dist/src/kernel/entities/entity-tables.js';
    import { IdempotentExecutor } from './dist/src/tenancy/idempotency/idempotent-executor.js';
    import { writeAsCaller } from './dist/src/tenancy/workspace-transaction.js';
    const { DATABASE, CALLER, REQUEST, LEASE } = process.env;
    const orm = createOrm(DATABASE);
    const tables = new EntityTables(orm.getMetadata());
    const caller = JSON.parse(CALLER);
    const context = { caller, write: (work) => writeAsCaller(orm.em, tables, caller, 'killed', work) };
    await new IdempotentExecutor({ leaseMs: Number(LEASE), waitTimeoutMs: 0 }).execute(context, JSON.parse(REQUEST), () => {
      console.log('calling out');
      return new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;

  it('leaves a claim that ends with its lease, after which the key works again', async () => {
    const request = aRequest();
    const context = await here.aContext();
    await claimAndDie(context, request);
    const [claim] = await queryAsOwner(
      service,
      'select tenant_id, reply, claimed_until - created_at as lease from idempotent_request where key = $1',
      [request.key],
    );
    expect(claim).toEqual({ tenant_id: decodeId(context.caller.tenantId), reply: '', lease: { minutes: 1 } });
    expect(await codeOf(answersOf({ waitTimeoutMs: 0 }).execute(context, request, says('"x"')))).toBe('CONFLICT');
    const again = answersOf().execute(context, request, says('"again"'));
    await queryAsOwner(service, 'update idempotent_request set claimed_until = now() where key = $1', [request.key]);
    expect(await again).toEqual({ text: '"again"', isReplay: false });
    expect(await answersOf().execute(context, request, says('"x"'))).toEqual({ text: '"again"', isReplay: true });
  });
});
