import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../../src/kernel/concurrency/semaphore.js';

describe('Semaphore', () => {
  it('runs at most the given number of operations concurrently, in order, even if some fail', async () => {
    const turns = new Semaphore(3);
    const order: number[] = [];
    let [now, most] = [0, 0];
    const work = (at: number) => async () => {
      order.push(at);
      most = Math.max(most, ++now);
      await sleep(5);
      now--;
      if (at % 2) throw new Error('odd');
    };
    await Promise.allSettled(Array.from({ length: 20 }, (_, at) => turns.run(work(at))));
    expect([most, order]).toEqual([3, Array.from({ length: 20 }, (_, at) => at)]);
    expect(await turns.run(async () => 'free again')).toBe('free again');
  });
});
