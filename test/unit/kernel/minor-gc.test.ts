import { setImmediate as nextTask } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectWholeHeapEvery, reportReleasedBytes } from '../../../src/kernel/files/minor-gc.js';

const MIB = 2 ** 20;

// Retries, because V8 may collect the whole heap before the first check.
it('collects buffers of the old generation only if the process has set an interval for it', { retry: 4 }, async () => {
  let old: { self?: object } | undefined = {};
  const reference = new WeakRef(old);
  await nextTask(); // A `WeakRef` keeps its object until the task ends.
  for (let survived = 0; survived < 4; survived++) reportReleasedBytes(8 * MIB);
  old = undefined;
  await nextTask();
  reportReleasedBytes(8 * MIB);
  await nextTask();
  expect(reference.deref()).toBeDefined();
  await nextTask();
  collectWholeHeapEvery(16 * MIB);
  reportReleasedBytes(16 * MIB);
  collectWholeHeapEvery(Number.POSITIVE_INFINITY);
  await nextTask();
  expect(reference.deref()).toBeUndefined();
});
