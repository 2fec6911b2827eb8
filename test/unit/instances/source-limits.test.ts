import { expect, it } from 'vitest';
import type { RateLimits } from '../../../src/catalog/model/rate-limits.js';
import type { StoredConnection } from '../../../src/instances/credentials/load-connection.js';
import { sourceLimitsOf } from '../../../src/instances/credentials/source-limits.js';

it.each([
  [1, 1],
  [5, 60],
  [100, 60],
  [10_000, 86_400],
])('at most %i requests are sent in any %i seconds', (requests, seconds) => {
  const connector = { slug: 'acme', rateLimits: { windows: [{ requests, seconds }] } };
  const { rates } = sourceLimitsOf({ instanceId: 'i-1', connector } as unknown as StoredConnection, 't-1');
  const [{ rate } = { rate: { capacity: 0, perSecond: 0 } }] = rates;
  expect(rate.capacity).toBeGreaterThanOrEqual(1);
  // During a window, the source can receive one request for each token of a full bucket, and for each token that the
  // limiter adds. If the limit is one request, the limiter adds a token exactly at the end of the window. That token
  // counts for the next window.
  expect(rate.capacity + Math.ceil(rate.perSecond * seconds) - (requests === 1 ? 1 : 0)).toBeLessThanOrEqual(requests);
});

it.each([
  [10, 3],
  [100, 7],
  [10, 5],
])('a window of %i requests is never exceeded if each request counts as %i', (requests, requestWeight) => {
  const connector = { slug: 'acme', rateLimits: { windows: [{ requests, seconds: 60 }], requestWeight } };
  const { rates } = sourceLimitsOf({ instanceId: 'i-1', connector } as unknown as StoredConnection, 't-1');
  const [{ rate } = { rate: { capacity: 0, perSecond: 0 } }] = rates;
  const tokens = rate.capacity + rate.perSecond * 60;
  expect(Math.floor(tokens / requestWeight) * requestWeight).toBeLessThanOrEqual(requests);
});

it('an override of a tap has its own tokens, and the other limits of the connector still apply', () => {
  const connector = { slug: 'acme', rateLimits: { requestsPerSecond: 9, maxConcurrent: 2 } };
  const limitsOf = (rateLimitOverride?: RateLimits) =>
    sourceLimitsOf({ instanceId: 'i-1', connector } as unknown as StoredConnection, 't-1', {
      ...{ name: 'orders' },
      ...(rateLimitOverride && { rateLimitOverride }),
    });
  const [normal, overridden] = [limitsOf(), limitsOf({ requestsPerSecond: 3 })];
  expect([normal, overridden].map(({ rates }) => rates.map(({ rate }) => rate.perSecond))).toEqual([[9], [3]]);
  expect(overridden.rates[0]?.key).not.toBe(normal.rates[0]?.key);
  expect(overridden.slots).toEqual(normal.slots);
});
