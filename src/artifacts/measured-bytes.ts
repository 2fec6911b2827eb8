import { createHash } from 'node:crypto';
import { reportReleasedBytes } from '../kernel/files/minor-gc.js';

/** Number of bytes that an inference reads from the start of a file. */
export const INFERENCE_SAMPLE_BYTES = 8 * 1024 * 1024;

export class MeasuredBytes implements AsyncIterable<Buffer> {
  readonly #head = createHash('sha256');
  #length = 0;

  /**
   * Calls `reserveUpTo` with the new total length before it yields a chunk. An error of `reserveUpTo` ends the stream.
   */
  constructor(
    private readonly source: AsyncIterable<Buffer>,
    private readonly reserveUpTo: (length: number) => Promise<void>,
  ) {}

  /**
   * The caller must call this method once, after the last chunk. `headSha256` is the hash of the first
   * `INFERENCE_SAMPLE_BYTES`.
   */
  measures(): { fileSize: number; headSha256: string } {
    return { fileSize: this.#length, headSha256: this.#head.digest('hex') };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.source) {
      const headLeft = INFERENCE_SAMPLE_BYTES - this.#length;
      this.#length += chunk.length;
      await this.reserveUpTo(this.#length);
      if (headLeft > 0) this.#head.update(chunk.subarray(0, headLeft));
      yield chunk;
      reportReleasedBytes(chunk.length);
    }
  }
}
