import { expect, it } from 'vitest';
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
  // A time window can contain a full bucket, and the tokens that are refilled during the window. The token at the end
  // of the window belongs to the next window.
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
