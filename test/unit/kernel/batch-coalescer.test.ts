import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BatchCoalescer } from '../../../src/kernel/concurrency/batch-coalescer.js';

/** The runs end only when the test calls `end` or `fail`. */
function heldRuns(options: { batchSize?: (items: readonly number[]) => number } = {}) {
  const started: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const runs = new BatchCoalescer<number, number>({
    ...options,
    run: (_key, items) =>
      new Promise((resolve, reject) =>
        started.push({ items, end: () => resolve(items.map((item) => item * 10)), fail: reject }),
      ),
  });
  return { runs, started, given: () => started.map(({ items }) => items) };
}

describe('BatchCoalescer', () => {
  it('puts an item submitted during a run into the next run', async () => {
    const { runs, started, given } = heldRuns();
    const first = runs.submit('a', 1);
    const others = [runs.submit('a', 2), runs.submit('a', 3)];
    expect(given()).toEqual([[1]]);
    started[0]?.end();
    expect(await first).toBe(10);
    await turn();
    expect(given()).toEqual([[1], [2, 3]]);
    started[1]?.end();
    expect(await Promise.all(others)).toEqual([20, 30]);
  });

  it('runs different keys concurrently', () => {
    const { runs, given } = heldRuns();
    void runs.submit('a', 1);
    void runs.submit('b', 2);
    expect(given()).toEqual([[1], [2]]);
  });

  it('limits a run to batchSize items, in the order of submission', async () => {
    const { runs, started, given } = heldRuns({ batchSize: () => 2 });
    const all = [1, 2, 3, 4].map((item) => runs.submit('a', item));
    started[0]?.end();
    await turn();
    expect(given()).toEqual([[1], [2, 3]]);
    started[1]?.end();
    await turn();
    started[2]?.end();
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40]);
  });

  it('rejects the items of a failed run and continues with the next run', async () => {
    const { runs, started } = heldRuns();
    const [first, second] = [runs.submit('a', 1), runs.submit('a', 2)];
    started[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    started[1]?.end();
    expect(await second).toBe(20);
  });
});
