import { expect, it } from 'vitest';
import { throttlePerMinute } from '../../../src/kernel/throttle.js';

it('reports a recurring error the first time, then at most once a minute', () => {
  let now = 0;
  const isTold = throttlePerMinute(() => now);
  const told = [0, 1, 59_999, 60_000, 60_001, 500_000, 559_999].filter((at) => {
    now = at;
    return isTold();
  });
  expect(told).toEqual([0, 60_000, 500_000]);
});
