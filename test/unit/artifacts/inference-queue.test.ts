import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InferenceSemaphore } from '../../../src/artifacts/inference-semaphore.js';

/** Work that lasts until it is told to end, and says when it began. */
class Work {
  began = false;
  readonly #ended = Promise.withResolvers<void>();

  readonly run = async (): Promise<void> => {
    this.began = true;
    await this.#ended.promise;
  };

  end(): void {
    this.#ended.resolve();
  }
}

describe('turns of inferences', () => {
  it('are taken one after the other in a workspace, and side by side in several', async () => {
    const turns = new InferenceSemaphore();
    const [first, second, other] = [new Work(), new Work(), new Work()];
    const all = [turns.run('a', first.run), turns.run('a', second.run), turns.run('b', other.run)];
    await soon();
    expect([first, second, other].map(({ began }) => began)).toEqual([true, false, true]);
    first.end();
    await all[0];
    await soon();
    expect(second.began).toBe(true);
    for (const work of [second, other]) work.end();
    await Promise.all(all);
  });

  it('are refused where 20 of a workspace are known, and given again later', async () => {
    const turns = new InferenceSemaphore();
    const work = new Work();
    const all = Array.from({ length: 20 }, () => turns.run('a', work.run));
    await expect(turns.run('a', work.run)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 5 });
    work.end();
    await Promise.all([...all, turns.run('b', work.run)]);
    await turns.run('a', work.run);
  });

  it('go on after one that failed', async () => {
    const turns = new InferenceSemaphore();
    const failing = turns.run('a', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await turns.run('a', async () => 'next')).toBe('next');
  });
});
