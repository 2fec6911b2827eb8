import { createHash } from 'node:crypto';
import { AppError } from '../kernel/errors.js';
import { notePassed } from '../kernel/passing-buffers.js';

/** Bytes at the beginning of a file that an inference reads. */
export const SAMPLE_BYTES = 8 * 1024 * 1024;

/** Passes bytes on, measuring them on the way. Throws WA-AF-012 with the first byte beyond `most`. */
export class MeasuredBytes implements AsyncIterable<Buffer> {
  readonly #all = createHash('sha256');
  readonly #head = createHash('sha256');
  #length = 0;

  constructor(
    private readonly source: AsyncIterable<Buffer>,
    private readonly most: number,
  ) {}

  /** Of all that has passed, once. `headSha256` is that of the first `SAMPLE_BYTES`; hashes are hexadecimal. */
  measures(): { fileSize: number; sha256: string; headSha256: string } {
    return { fileSize: this.#length, sha256: this.#all.digest('hex'), headSha256: this.#head.digest('hex') };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.source) {
      const ofHead = SAMPLE_BYTES - this.#length;
      this.#length += chunk.length;
      if (this.#length > this.most) throw new AppError('WA-AF-012', `A file may have ${this.most} bytes.`);
      this.#all.update(chunk);
      if (ofHead > 0) this.#head.update(chunk.subarray(0, ofHead));
      yield chunk;
      notePassed(chunk.length);
    }
  }
}
