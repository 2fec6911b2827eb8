import { createHash } from 'node:crypto';
import { notePassed } from '../kernel/passing-buffers.js';

/** Bytes at the beginning of a file that an inference reads. */
export const SAMPLE_BYTES = 8 * 1024 * 1024;

/** Passes bytes on, measuring them on the way. */
export class MeasuredBytes implements AsyncIterable<Buffer> {
  readonly #head = createHash('sha256');
  #length = 0;

  /** `cover` is called with the length that the file grows to, before it does, and may throw. */
  constructor(
    private readonly source: AsyncIterable<Buffer>,
    private readonly cover: (length: number) => Promise<void>,
  ) {}

  /** Of all that has passed, once. `headSha256` is that of the first `SAMPLE_BYTES`, hexadecimal. */
  measures(): { fileSize: number; headSha256: string } {
    return { fileSize: this.#length, headSha256: this.#head.digest('hex') };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.source) {
      const ofHead = SAMPLE_BYTES - this.#length;
      this.#length += chunk.length;
      await this.cover(this.#length);
      if (ofHead > 0) this.#head.update(chunk.subarray(0, ofHead));
      yield chunk;
      notePassed(chunk.length);
    }
  }
}
