import { expect, it } from 'vitest';
import type { LoadedRun } from '../../../src/syncs/runs/load-run.js';
import { tapScopes } from '../../../src/syncs/slices/tap-scopes.js';

const scope = { variables: {}, parentFields: {} };
const loaded = { connector: {}, definition: { name: 'items' } } as LoadedRun;

async function batchSizes(count: number): Promise<number[]> {
  const sizes: number[] = [];
  const tap = {
    *fanOut() {
      for (let nth = 0; nth < count; nth++) yield scope;
    },
  };
  const take = async (scopes: readonly unknown[]): Promise<void> => void sizes.push(scopes.length);
  await tapScopes(undefined as never, loaded, tap, {
    ...{ take, comparable: new Set<string>(), signal: new AbortController().signal },
  });
  return sizes;
}

it('passes on the items of a fan-out in batches', async () => {
  expect(await batchSizes(2_500)).toEqual([1_000, 1_000, 500]);
});

it('rejects more than 10 million combinations', async () => {
  await expect(batchSizes(10_000_001)).rejects.toMatchObject({ errorClass: 'contract', action: 'fail_tap' });
});
