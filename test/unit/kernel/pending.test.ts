import { describe, expect, it } from 'vitest';
import { BatchLoader } from '../../../src/kernel/reading/batch-loader.js';
import { Pending, whenKnown } from '../../../src/kernel/reading/pending.js';

describe('a pending value', () => {
  it('calls back in the turn in which it is resolved, even through further steps', () => {
    const pending = new Pending<number>();
    const called: unknown[] = [];
    pending
      .then((value) => value + 1)
      .then(
        (value) => called.push(value),
        () => called.push('failed'),
      );
    whenKnown(pending, (value) => called.push(value));
    pending.resolve(1);
    expect(called).toEqual([2, 1]);
  });

  it('can be awaited before and after it is settled', async () => {
    const pending = new Pending<string>();
    const awaited = Promise.all([pending, pending.then(async (text) => `${text} later`)]);
    pending.resolve('now');
    expect([await awaited, await pending]).toEqual([['now', 'now later'], 'now']);
  });

  it('takes over the value or the error of a promise', async () => {
    const [kept, failed] = [new Pending<string>(), new Pending<string>()];
    kept.resolve(Promise.resolve('kept'));
    failed.resolve(Promise.reject(new Error('lost')));
    await expect(kept).resolves.toBe('kept');
    await expect(failed).rejects.toThrow('lost');
  });

  it('passes an error on until a step handles it, including the error of a step', async () => {
    const pending = new Pending<string>();
    const thrown = pending.then(() => {
      throw new Error('thrown');
    });
    const handled = thrown.then(null, (error) => `handled ${(error as Error).message}`);
    pending.resolve('value');
    await expect(thrown).rejects.toThrow('thrown');
    await expect(handled).resolves.toBe('handled thrown');
  });
});

describe('a batch loader', () => {
  const aLoader = (loadAll: (ids: readonly string[]) => Promise<number[]>) => {
    const dispatches: (() => void)[] = [];
    return { loader: new BatchLoader(loadAll, (dispatch) => dispatches.push(dispatch)), dispatches };
  };

  it('loads all ids that were requested before the dispatch together, and each id once', async () => {
    const batches: (readonly string[])[] = [];
    const { loader, dispatches } = aLoader(async (ids) => {
      batches.push(ids);
      return ids.map(Number);
    });
    const found = Promise.all([loader.load('1'), loader.load('2'), loader.load('1')]);
    dispatches[0]?.();
    const late = loader.load('3');
    dispatches[1]?.();
    expect([await found, await late]).toEqual([[1, 2, 1], 3]);
    expect([batches, dispatches.length]).toEqual([[['1', '2'], ['3']], 2]);
    expect(loader.load('1')).toBe(1);
  });

  it('fails all values of a batch that fails', async () => {
    const { loader, dispatches } = aLoader(() => Promise.reject(new Error('lost')));
    const found = [loader.load('1'), loader.load('2')];
    dispatches[0]?.();
    for (const value of found) await expect(value).rejects.toThrow('lost');
    await expect(loader.load('1')).rejects.toThrow('lost');
  });
});
