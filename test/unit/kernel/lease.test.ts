import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isLeased, keepRenewed, LeaseLost, leaseEnd, pollUntil } from '../../../src/kernel/concurrency/lease.js';

const LIFE_SECONDS = 60;
const SECOND_MS = 1_000;

describe('keepRenewed', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND_MS);

  /** Holds a new lease until the test ends the work. */
  function hold(renew: () => Promise<boolean>) {
    const work = Promise.withResolvers<string>();
    let signal: AbortSignal | undefined;
    const acquiredAt = performance.now();
    const renewal = vi.fn(renew);
    const result = keepRenewed({ lifeSeconds: LIFE_SECONDS, acquiredAt, renew: renewal }, (given) => {
      signal = given;
      return work.promise;
    });
    return { work, result, renewal, signal: signal as unknown as AbortSignal };
  }

  /** Expects no further renewal, and no loss of the lease. */
  async function expectStopped({ renewal, signal }: ReturnType<typeof hold>): Promise<void> {
    const { length } = renewal.mock.calls;
    await pass(LIFE_SECONDS);
    expect(renewal).toHaveBeenCalledTimes(length);
    expect(signal.aborted).toBe(false);
  }

  it('renews three times per lifetime and stops with the work', async () => {
    const held = hold(async () => true);
    await pass(10 * LIFE_SECONDS - 1);
    expect(held.renewal).toHaveBeenCalledTimes(29);
    expect(held.signal.aborted).toBe(false);
    held.work.resolve('done');
    expect(await held.result).toBe('done');
    await expectStopped(held);
  });

  it('stops with work that fails', async () => {
    const held = hold(async () => true);
    held.work.reject(new Error('broken'));
    await expect(held.result).rejects.toThrow('broken');
    await expectStopped(held);
  });

  it('waits for a renewal in progress, so that a release comes after it', async () => {
    const inProgress = Promise.withResolvers<boolean>();
    const held = hold(() => inProgress.promise);
    const settled = vi.fn();
    void held.result.then(settled);
    await pass(20);
    held.work.resolve('done');
    await pass(1);
    expect(settled).not.toHaveBeenCalled();
    inProgress.resolve(true);
    await held.result;
    await expectStopped(held);
  });

  it('aborts the work when the lease has another holder', async () => {
    const { work, result, signal } = hold(async () => false);
    await pass(19);
    expect(signal.aborted).toBe(false);
    await pass(1);
    expect(signal.reason).toBeInstanceOf(LeaseLost);
    work.resolve('done');
    await result;
  });

  it.each([
    ['does not answer', () => new Promise<boolean>(() => undefined), 1],
    ['fails', () => Promise.reject(new Error('away')), 2],
  ])('aborts the work after 90 % of the lifetime while the database %s', async (_, renew, calls) => {
    const renewal = vi.fn(renew);
    const { signal } = hold(renewal);
    await pass(53.9);
    expect(signal.aborted).toBe(false);
    expect(renewal).toHaveBeenCalledTimes(calls);
    await pass(0.2);
    expect(signal.reason).toBeInstanceOf(LeaseLost);
  });

  it('counts the lifetime from the time when the last successful renewal was sent', async () => {
    const slowly = () => new Promise<boolean>((resolve) => setTimeout(resolve, 10_000, true));
    const fail = () => Promise.reject(new Error('away'));
    const renew = vi.fn<() => Promise<boolean>>(fail);
    renew.mockImplementationOnce(fail).mockImplementationOnce(slowly);
    const { signal } = hold(renew);
    await pass(40 + 53.9);
    expect(signal.aborted).toBe(false);
    await pass(0.2);
    expect(signal.reason).toBeInstanceOf(LeaseLost);
  });
});

describe('pollUntil', () => {
  const times = (limitMs: number) => ({ deadline: performance.now() + limitMs, intervalMs: 1 });

  it('repeats the attempt until it has a result', async () => {
    const results = [undefined, undefined, 'acquired'];
    expect(await pollUntil(async () => results.shift(), times(60_000))).toBe('acquired');
    expect(results).toEqual([]);
  });

  it('makes one attempt after the deadline', async () => {
    const attempt = vi.fn(async () => undefined);
    expect(await pollUntil(attempt, times(-1))).toBeUndefined();
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('gives up at the deadline', async () => {
    const startedAt = performance.now();
    const attempt = vi.fn(async () => undefined);
    expect(await pollUntil(attempt, times(100))).toBeUndefined();
    expect(attempt.mock.calls.length).toBeGreaterThan(1);
    expect(performance.now() - startedAt).toBeGreaterThan(90);
  });

  it('doubles the interval up to its limit, with jitter', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const startedAt: number[] = [];
    const attempt = async () => (startedAt.push(performance.now()) < 5 ? undefined : 'acquired');
    await pollUntil(attempt, { ...times(60_000), intervalMs: 20, maxIntervalMs: 80 });
    expect(random).toHaveBeenCalledTimes(4);
    random.mockRestore();
    const [first = 0, , , , last = 0] = startedAt;
    expect(last - first).toBeGreaterThan(20 + 40 + 80 + 80 - 5);
  });

  it('throws once the signal is aborted', async () => {
    const stop = new AbortController();
    const options = { ...times(10_000_000), signal: stop.signal };
    const polling = pollUntil(async () => undefined, { ...options, intervalMs: 1_000_000 });
    stop.abort(new Error('stopped'));
    await expect(polling).rejects.toThrow();
    await expect(pollUntil(() => expect.fail('attempted'), options)).rejects.toThrow('stopped');
  });
});

it('isLeased compares a stored expiry with the clock', () => {
  expect([leaseEnd(1), leaseEnd(1).toISOString(), leaseEnd(-1), undefined].map(isLeased)).toEqual([
    ...[true, true, false, false],
  ]);
});
