import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openPage } from '../../../support/syncs/open-page.js';
import { zip } from '../../../support/syncs/zip-archive.js';

const read = async (body: Buffer, sizes: object = {}): Promise<unknown> => (await openPage(body, sizes)).records;

describe('a compressed file', () => {
  const content = Buffer.from('[{"id":1}]');

  it('is read if it is gzip, a zip with a compressed file, or a zip with a stored file', async () => {
    const folder = { name: 'out/', content: Buffer.alloc(0), isStored: true };
    for (const body of [
      gzipSync(content),
      zip({ name: 'a.json', content }),
      zip(folder, { name: 'out/a.json', content, isStored: true }),
    ])
      for (const wholeBytes of [0, 100]) expect(await read(body, { wholeBytes })).toEqual([{ id: 1 }]);
  });

  it('is a contract error if it exceeds the limit after decompression, regardless of the size that a zip states', async () => {
    const large = Buffer.alloc(1_000_000, '[');
    for (const body of [gzipSync(large), zip({ name: 'a', content: large, size: 10 })])
      await expect(read(body, { maxBytes: 1_000 })).rejects.toThrow('exceeds the size limit');
  });

  it.each([
    ['two files', zip({ name: 'a', content }, { name: 'b', content }), 'does not contain exactly one file'],
    ['no file', zip({ name: 'a/', content: Buffer.alloc(0) }), 'does not contain exactly one file'],
    ['an encrypted file', zip({ name: 'a', content, flags: 1 }), 'is encrypted'],
    ['a cut archive', zip({ name: 'a', content }).subarray(0, 40), 'is damaged'],
    ['a cut gzip file', gzipSync(content).subarray(0, 20), 'is damaged'],
  ])('is a contract error with %s', async (_, body, problem) => {
    await expect(read(body)).rejects.toThrow(`The compressed file in the response ${problem}.`);
  });

  it('is a contract error if the checksum or any offset is wrong', async () => {
    const archive = zip({ name: 'a', content, isStored: true });
    for (let at = 4; at < archive.length; at++) {
      const changed = Buffer.from(archive);
      changed[at] = (changed[at] as number) ^ 0xff;
      try {
        expect(await read(changed)).toEqual([{ id: 1 }]);
      } catch (error) {
        expect(error).toMatchObject({ name: 'TapReadError', errorClass: 'contract' });
      }
    }
  });
});
