import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { fileSizeLimit } from '../../../src/artifacts/file-size-limit.js';
import { INFERENCE_SAMPLE_BYTES, MeasuredBytes } from '../../../src/artifacts/measured-bytes.js';
import { PeekableBytes } from '../../../src/artifacts/peekable-bytes.js';
import { IncomingFile } from '../../../src/kernel/files/incoming-file.js';

/** Yields one-byte chunks. `taken` returns the number of yielded chunks. */
function letters(text: string): { source: AsyncIterable<Buffer>; taken: () => number } {
  let taken = 0;
  async function* source(): AsyncGenerator<Buffer> {
    for (const letter of text) {
      taken += 1;
      yield Buffer.from(letter);
    }
  }
  return { source: source(), taken: () => taken };
}

async function allOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('PeekableBytes', () => {
  it.each([0, 1, 3, 6, 7, 20])('returns the whole stream after a peek at %i bytes', async (length) => {
    const bytes = new PeekableBytes(letters('abcdef').source);
    expect((await bytes.peek(length)).toString()).toBe('abcdef'.slice(0, length));
    expect(await allOf(bytes)).toBe('abcdef');
  });

  it.each([
    [5, false],
    [6, true],
    [7, true],
  ])('after a peek at %i of 6 bytes, isWhole is %s', async (length, isWhole) => {
    const bytes = new PeekableBytes(letters('abcdef').source);
    await bytes.peek(length);
    expect(bytes.isWhole).toBe(isWhole);
  });

  it('can be peeked at several times', async () => {
    const bytes = new PeekableBytes(letters('abcdef').source);
    await bytes.peek(2);
    expect((await bytes.peek(4)).toString()).toBe('abcd');
    expect((await bytes.peek(1)).toString()).toBe('a');
    expect(await allOf(bytes)).toBe('abcdef');
  });

  it('reads one byte more than requested, and no further', async () => {
    const { source, taken } = letters('abcdef');
    await new PeekableBytes(source).peek(2);
    expect(taken()).toBe(3);
  });

  it('passes on an error of the source', async () => {
    const source = new Readable({ read: () => undefined });
    const bytes = new PeekableBytes(source);
    const peeking = bytes.peek(10);
    source.destroy(new Error('the client left'));
    await expect(peeking).rejects.toThrow('the client left');
  });
});

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describe('MeasuredBytes', () => {
  it('passes bytes unchanged', async () => {
    const bytes = new MeasuredBytes(letters('abc').source, async () => undefined);
    expect(await allOf(bytes)).toBe('abc');
    expect(bytes.measures()).toEqual({ fileSize: 3, headSha256: hash('abc') });
  });

  it('reserves each chunk before passing it on', async () => {
    const cover = async (length: number) => {
      if (length > 2) throw new Error('no room');
    };
    const passed: string[] = [];
    const pass = async () => {
      for await (const letter of new MeasuredBytes(letters('abc').source, cover)) passed.push(letter.toString());
    };
    await expect(pass()).rejects.toThrow('no room');
    expect(passed).toEqual(['a', 'b']);
  });

  it('hashes the head regardless of chunk boundaries', async () => {
    const chunks = [Buffer.alloc(INFERENCE_SAMPLE_BYTES - 1, 1), Buffer.alloc(10, 2)];
    const bytes = new MeasuredBytes(Readable.from(chunks), async () => undefined);
    for await (const _ of bytes);
    expect(bytes.measures().headSha256).toBe(hash(Buffer.concat(chunks).subarray(0, INFERENCE_SAMPLE_BYTES)));
  });
});

describe('IncomingFile', () => {
  const PART = { fieldName: 'file', filename: 'a.csv', mimetype: 'text/csv', encoding: '7bit', length: undefined };
  const aFile = (content: string, most?: number) =>
    new IncomingFile(
      { ...PART, bytes: Readable.from(letters(content).source) },
      most === undefined ? undefined : fileSizeLimit(most),
    );

  it('returns a file of the maximum size unchanged, with its hash', async () => {
    const file = aFile('abc', 3);
    expect(await allOf(file.createReadStream())).toBe('abc');
    expect(await file.sha256()).toBe(hash('abc'));
  });

  it('has the contract of graphql-upload-minimal, even for resolvers that await it', async () => {
    const { filename, mimetype, encoding, createReadStream } = await Promise.resolve(aFile('abc'));
    expect([filename, mimetype, encoding]).toEqual(['a.csv', 'text/csv', '7bit']);
    expect(await text(createReadStream())).toBe('abc');
  });

  it('raises no unhandled error if the client disconnects after its reader stopped', async () => {
    const bytes = new PassThrough();
    bytes.write('abc');
    const stream = new IncomingFile({ ...PART, bytes }).createReadStream();
    const closed = new Promise((resolve) => stream.once('close', resolve));
    await new Promise((resolve) => stream.once('data', resolve));
    stream.pause();
    bytes.destroy(new Error('disconnected'));
    await closed;
    expect(stream.errored?.message).toBe('disconnected');
  });

  it('computes the hash of an unread file', async () => {
    expect(await aFile('abc').sha256()).toBe(hash('abc'));
  });

  it('rejects sha256 if reading stopped early', async () => {
    const file = aFile('abc');
    for await (const _ of file.createReadStream()) break;
    await expect(file.sha256()).rejects.toThrow('not read to its end');
  });

  it('throws WA-AF-012 at the first byte beyond the maximum size', async () => {
    await expect(allOf(aFile('abcd', 3).createReadStream())).rejects.toMatchObject({ code: 'WA-AF-012' });
    await expect(aFile('abcd', 3).sha256()).rejects.toMatchObject({ code: 'WA-AF-012' });
  });

  it('can be read only once', () => {
    const file = aFile('abc');
    file.createReadStream();
    expect(() => file.createReadStream()).toThrow('uses its file more than once');
  });
});
