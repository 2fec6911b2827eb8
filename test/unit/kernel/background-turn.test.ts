import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { backgroundTurn } from '../../../src/kernel/concurrency/background-turn.js';

it('runs one piece of background work per turn of the event loop, in the order of requests', async () => {
  const done: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let piece = 1; piece <= 2; piece++) {
      await backgroundTurn();
      done.push(`${name}${piece}`);
    }
  };
  const all = Promise.all(['a', 'b', 'c'].map(work));
  const perTurn: number[] = [];
  for (let turn = 0, before = 0; turn < 6; turn++, before = done.length) {
    await nextTurn();
    perTurn.push(done.length - before);
  }
  await all;
  expect(Math.max(...perTurn)).toBe(1);
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});
