const INITIAL_BUFFER_BYTES = 64 * 1024;

export class PeekableBytes implements AsyncIterable<Buffer> {
  readonly #source: AsyncIterator<Buffer>;
  /**
   * A copy of the received bytes. A chunk may be a one-byte view of a large buffer. Without a copy, the whole buffer
   * would remain in memory.
   */
  #held: Buffer = Buffer.alloc(0);
  #length = 0;
  #isWhole = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Returns fewer than `length` bytes if the stream is shorter. */
  async peek(length: number): Promise<Buffer> {
    while (this.#length <= length && !this.#isWhole) {
      const { value, done } = await this.#source.next();
      if (done) this.#isWhole = true;
      else this.#hold(value);
    }
    return this.#held.subarray(0, Math.min(length, this.#length));
  }

  /** Releases the bytes that it has yielded, so only one iteration is possible. */
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
