import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { toFileStoreError, wrapStoreErrors } from '../../../src/kernel/files/to-file-store-error.js';

const anEndlessSource = (): Readable => new Readable({ read: () => undefined });

describe('a stream from a file store', () => {
  it('destroys its source when it is destroyed', async () => {
    const source = anEndlessSource();
    const closed = once(source, 'close');
    wrapStoreErrors(source).destroy();
    await closed;
    expect(source.destroyed).toBe(true);
  });

  it('fails with FileStoreError if the source fails', async () => {
    const source = anEndlessSource();
    const bytes = wrapStoreErrors(source).toArray();
    const cause = Object.assign(new Error('read failed'), { code: 'EIO' });
    source.destroy(cause);
    await expect(bytes).rejects.toMatchObject({ name: 'FileStoreError', code: 'EIO', cause });
  });
});

it('uses the name of an error without a code', () => {
  expect(toFileStoreError(Object.assign(new Error('denied'), { name: 'AccessDenied' })).code).toBe('AccessDenied');
});
