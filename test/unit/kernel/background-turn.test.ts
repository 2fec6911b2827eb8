import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { backgroundTurn, noteRequest } from '../../../src/kernel/concurrency/background-turn.js';

const NAMES = ['a', 'b', 'c'];

/** Runs two pieces of work for each of `NAMES`. Each piece takes `pieceMs`. */
async function workInTurns(pieceMs: number, onPiece: (piece: string) => void): Promise<void> {
  const work = async (name: string): Promise<void> => {
    for (let nth = 1; nth <= 2; nth++) {
      await backgroundTurn();
      for (const endsAt = performance.now() + pieceMs; performance.now() < endsAt; );
      onPiece(`${name}${nth}`);
    }
  };
  await Promise.all(NAMES.map(work));
}

it('runs long pieces of background work in separate turns of the event loop, in the order of requests', async () => {
  const done: string[] = [];
  const all = workInTurns(1, (piece) => done.push(piece));
  const perTurn: number[] = [];
  for (let turn = 0, before = 0; turn < 6; turn++, before = done.length) {
    await nextTurn();
    perTurn.push(done.length - before);
  }
  await all;
  expect(Math.max(...perTurn)).toBe(1);
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});

it('pauses for four milliseconds between long pieces while a request is open', async () => {
  const times: number[] = [];
  const end = noteRequest();
  await workInTurns(0.3, () => times.push(performance.now()));
  end();
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThan(4 * (times.length - 2));
});

it.each([
  ['that has ended', 0],
  ['that is open for a second', 1_000],
])('does not wait for a request %s', async (_, milliseconds) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const end = noteRequest();
  if (milliseconds === 0) end();
  vi.advanceTimersByTime(milliseconds);
  const turn = vi.spyOn(globalThis, 'setTimeout');
  await backgroundTurn();
  expect(turn).not.toHaveBeenCalled();
  turn.mockRestore();
  vi.useRealTimers();
});
