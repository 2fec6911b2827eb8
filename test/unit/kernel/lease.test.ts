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

  /** Holds a lease that was acquired just now, during work that ends on request. */
  function hold(renew: () => Promise<boolean>) {
    const work = Promise.withResolvers<string>();
    let signal: AbortSignal | undefined;
    const acquiredAt = performance.now();
    const result = keepRenewed({ lifeSeconds: LIFE_SECONDS, acquiredAt, renew }, (given) => {
      signal = given;
      return work.promise;
    });
    return { work, result, signal: signal as unknown as AbortSignal };
  }

  it('renews three times per lifetime and stops with the work', async () => {
    const renew = vi.fn(async () => true);
    const { work, result, signal } = hold(renew);
    await pass(10 * LIFE_SECONDS - 1);
    expect(renew).toHaveBeenCalledTimes(29);
    expect(signal.aborted).toBe(false);
    work.resolve('done');
    expect(await result).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stops with work that fails', async () => {
    const { work, result } = hold(async () => true);
    work.reject(new Error('broken'));
    await expect(result).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for a renewal in progress, so that a release comes after it', async () => {
    const renewal = Promise.withResolvers<boolean>();
    const { work, result } = hold(() => renewal.promise);
    const settled = vi.fn();
    void result.then(settled);
    await pass(20);
    work.resolve('done');
    await pass(1);
    expect(settled).not.toHaveBeenCalled();
    renewal.resolve(true);
    await result;
    expect(vi.getTimerCount()).toBe(0);
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
