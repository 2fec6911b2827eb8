import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { MeasuredBytes, SAMPLE_BYTES } from '../../src/artifacts/measured-bytes.js';
import { PeekedBytes } from '../../src/artifacts/peeked-bytes.js';

/** Chunks of one byte each, and how many of them were taken. */
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

describe('bytes that are looked at before they are read', () => {
  it.each([0, 1, 3, 6, 7, 20])('come whole after the first %i were looked at', async (length) => {
    const bytes = new PeekedBytes(letters('abcdef').source);
    expect((await bytes.peek(length)).toString()).toBe('abcdef'.slice(0, length));
    expect(await allOf(bytes)).toBe('abcdef');
  });

  it.each([
    [5, false],
    [6, true],
    [7, true],
  ])('after %i of 6 it is known whether that was all: %s', async (length, isWhole) => {
    const bytes = new PeekedBytes(letters('abcdef').source);
    await bytes.peek(length);
    expect(bytes.isWhole).toBe(isWhole);
  });

  it('may be looked at further', async () => {
    const bytes = new PeekedBytes(letters('abcdef').source);
    await bytes.peek(2);
    expect((await bytes.peek(4)).toString()).toBe('abcd');
    expect((await bytes.peek(1)).toString()).toBe('a');
    expect(await allOf(bytes)).toBe('abcdef');
  });

  it('are not taken from their source before they are wanted', async () => {
    const { source, taken } = letters('abcdef');
    await new PeekedBytes(source).peek(2);
    expect(taken()).toBe(3);
  });

  it('end with the error of their source', async () => {
    const source = new Readable({ read: () => undefined });
    const bytes = new PeekedBytes(source);
    const peeking = bytes.peek(10);
    source.destroy(new Error('the client left'));
    await expect(peeking).rejects.toThrow('the client left');
  });
});

describe('bytes that are measured on their way', () => {
  const measure = async (text: string, most: number) => {
    const bytes = new MeasuredBytes(letters(text).source, most);
    return { text: await allOf(bytes), ...bytes.measures() };
  };
  const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

  it('pass unchanged up to the limit', async () => {
    const measures = { text: 'abc', fileSize: 3, sha256: hash('abc'), headSha256: hash('abc') };
    expect(await measure('abc', 3)).toEqual(measures);
  });

  it('are refused with the first byte beyond it', async () => {
    await expect(measure('abcd', 3)).rejects.toMatchObject({ code: 'WA-AF-012' });
  });

  it('have a hash of their head, wherever a chunk ends', async () => {
    const chunks = [Buffer.alloc(SAMPLE_BYTES - 1, 1), Buffer.alloc(10, 2)];
    const bytes = new MeasuredBytes(Readable.from(chunks), 2 * SAMPLE_BYTES);
    for await (const _ of bytes);
    const all = Buffer.concat(chunks);
    const { sha256, headSha256 } = bytes.measures();
    expect({ sha256, headSha256 }).toEqual({ sha256: hash(all), headSha256: hash(all.subarray(0, SAMPLE_BYTES)) });
  });
});
