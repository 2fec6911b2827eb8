import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { toFileStoreError, wrapStoreErrors } from '../../../src/kernel/files/to-file-store-error.js';

const anEndlessSource = (): Readable => new Readable({ read: () => undefined });

describe('bytes from a store', () => {
  it('let go of their source when their reader has gone', async () => {
    const source = anEndlessSource();
    const closed = once(source, 'close');
    wrapStoreErrors(source).destroy();
    await closed;
    expect(source.destroyed).toBe(true);
  });

  it('fail as the store where the source fails', async () => {
    const source = anEndlessSource();
    const bytes = wrapStoreErrors(source).toArray();
    const cause = Object.assign(new Error('read failed'), { code: 'EIO' });
    source.destroy(cause);
    await expect(bytes).rejects.toMatchObject({ name: 'FileStoreError', code: 'EIO', cause });
  });
});

it('a failure without a code is known by the name of the error', () => {
  expect(toFileStoreError(Object.assign(new Error('denied'), { name: 'AccessDenied' })).code).toBe('AccessDenied');
});
