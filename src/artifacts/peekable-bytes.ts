/** Bytes that are made room for at first; the room grows by doubling. */
const INITIAL_BUFFER_BYTES = 64 * 1024;

/** Bytes on their way, whose beginning can be looked at before all of them are read in order. */
export class PeekableBytes implements AsyncIterable<Buffer> {
  readonly #source: AsyncIterator<Buffer>;
  /** Copies: a chunk may be one byte of a large buffer, and a client may send nothing but such. */
  #held: Buffer = Buffer.alloc(0);
  #length = 0;
  #isWhole = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether what was looked at is all there is. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The first `length` bytes, or all where there are fewer. */
  async peek(length: number): Promise<Buffer> {
    while (this.#length <= length && !this.#isWhole) {
      const { value, done } = await this.#source.next();
      if (done) this.#isWhole = true;
      else this.#hold(value);
    }
    return this.#held.subarray(0, Math.min(length, this.#length));
  }

  /** Once: the bytes are let go of as they are read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const head = this.#held.subarray(0, this.#length);
    this.#held = Buffer.alloc(0);
    if (head.length > 0) yield head;
    while (!this.#isWhole) {
      const { value, done } = await this.#source.next();
      if (done) return;
      yield value;
    }
  }

  #hold(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#held.length, INITIAL_BUFFER_BYTES));
      this.#held.copy(larger, 0, 0, this.#length);
      this.#held = larger;
    }
    chunk.copy(this.#held, this.#length);
    this.#length = length;
  }
}
