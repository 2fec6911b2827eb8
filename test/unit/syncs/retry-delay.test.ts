import { describe, expect, it } from 'vitest';
import { retryDelayMs } from '../../../src/syncs/responses/retry-delay.js';

const longest = () => 0.999_999;

describe('retryDelayMs', () => {
  it('doubles the longest delay from 1 s up to 60 s', () => {
    const policy = { maxRetries: 8 };
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => retryDelayMs({ attempt, policy, random: longest }));
    expect(delays.map((delay) => Math.ceil((delay as number) / 1000))).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('spreads delays from zero (full jitter)', () => {
    expect(retryDelayMs({ attempt: 5, random: () => 0 })).toBe(0);
    expect(retryDelayMs({ attempt: 5, random: () => 0.5 })).toBe(8_000);
  });

  it('grows by backoffMultiplier', () => {
    expect(retryDelayMs({ attempt: 3, policy: { backoffMultiplier: 3 }, random: () => 0.5 })).toBe(4_500);
  });

  it('ends after maxRetries, 5 by default', () => {
    expect(retryDelayMs({ attempt: 5 })).toBeDefined();
    expect(retryDelayMs({ attempt: 6 })).toBeUndefined();
    expect(retryDelayMs({ attempt: 1, policy: { maxRetries: 0 } })).toBeUndefined();
    expect(retryDelayMs({ attempt: 3, policy: { maxRetries: 2 }, retryAfterMs: 1 })).toBeUndefined();
  });

  it('ends after maxRetryTimeSeconds, 600 by default, and does not wait longer than that', () => {
    expect(retryDelayMs({ attempt: 1, elapsedMs: 600_000 })).toBeUndefined();
    expect(retryDelayMs({ attempt: 1, policy: { maxRetryTimeSeconds: 10 }, elapsedMs: 10_000 })).toBeUndefined();
    const policy = { maxRetryTimeSeconds: 10 };
    expect(retryDelayMs({ attempt: 5, policy, elapsedMs: 9_000, random: longest })).toBe(1_000);
  });

  it('waits at least as long as the vendor asks, and at most a second longer', () => {
    expect(retryDelayMs({ attempt: 1, retryAfterMs: 120_000, random: () => 0 })).toBe(120_000);
    expect(retryDelayMs({ attempt: 1, retryAfterMs: 120_000, random: longest })).toBe(120_999);
  });

  it('ignores the time of the vendor with respectRetryAfter false', () => {
    const policy = { respectRetryAfter: false };
    expect(retryDelayMs({ attempt: 1, policy, retryAfterMs: 120_000, random: () => 0.5 })).toBe(500);
  });
});
