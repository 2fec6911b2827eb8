import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InferenceSemaphore } from '../../../src/artifacts/inference-semaphore.js';

/** Work that runs until `end` is called. */
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

describe('InferenceSemaphore', () => {
  it('runs one inference at a time per workspace, and several workspaces in parallel', async () => {
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

  it('rejects the 21st inference of a workspace until others of the workspace end', async () => {
    const turns = new InferenceSemaphore();
    const work = new Work();
    const all = Array.from({ length: 20 }, () => turns.run('a', work.run));
    await expect(turns.run('a', work.run)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 5 });
    work.end();
    await Promise.all([...all, turns.run('b', work.run)]);
    await turns.run('a', work.run);
  });

  it('continues after a failed inference', async () => {
    const turns = new InferenceSemaphore();
    const failing = turns.run('a', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await turns.run('a', async () => 'next')).toBe('next');
  });
});
