import { createHash } from 'node:crypto';
import { reportReleasedBytes } from '../kernel/files/minor-gc.js';

/** Bytes at the beginning of a file that an inference reads. */
export const INFERENCE_SAMPLE_BYTES = 8 * 1024 * 1024;

/** Passes bytes on, measuring them on the way. */
export class MeasuredBytes implements AsyncIterable<Buffer> {
  readonly #head = createHash('sha256');
  #length = 0;

  /** `cover` is called with the length that the file grows to, before it does, and may throw. */
  constructor(
    private readonly source: AsyncIterable<Buffer>,
    private readonly reserveUpTo: (length: number) => Promise<void>,
  ) {}

  /** Of all that has passed, once. `headSha256` is that of the first `INFERENCE_SAMPLE_BYTES`, hexadecimal. */
  measures(): { fileSize: number; headSha256: string } {
    return { fileSize: this.#length, headSha256: this.#head.digest('hex') };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.source) {
      const ofHead = INFERENCE_SAMPLE_BYTES - this.#length;
      this.#length += chunk.length;
      await this.reserveUpTo(this.#length);
      if (ofHead > 0) this.#head.update(chunk.subarray(0, ofHead));
      yield chunk;
      reportReleasedBytes(chunk.length);
    }
  }
}
