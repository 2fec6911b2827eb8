import { once } from 'node:events';
import { PassThrough } from 'node:stream';

/** Time for which a client may leave the buffers of its stream full. */
const STALLED_MS = 30_000;

/**
 * The body of a response with server-sent events. Memory contains at most the buffers of two streams, of 16 KiB each,
 * and one more event.
 */
export class EventStream {
  readonly body = new PassThrough();
  readonly #closed = new AbortController();
  #draining: Promise<unknown> | undefined;

  constructor(private readonly stalledMs = STALLED_MS) {
    this.body.once('close', () => this.#closed.abort());
    this.body.on('error', () => undefined); // The client has disconnected.
  }

  /** Aborted when the stream has ended or the client has disconnected. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Resolves when the client has read enough for another event, or has disconnected. */
  async ready(): Promise<void> {
    await this.#draining;
  }

  /** Writes all chunks, then ends the body. Closes the connection of a client that has stopped reading. */
  async write(chunks: AsyncIterable<string>): Promise<void> {
    try {
      for await (const chunk of chunks) {
        if (this.closed.aborted) return;
        if (this.body.write(chunk)) continue;
        this.#draining = this.#drained();
        await this.#draining;
        this.#draining = undefined;
      }
    } finally {
      this.body.end();
    }
  }

  async #drained(): Promise<void> {
    const timer = setTimeout(() => this.body.destroy(), this.stalledMs);
    await once(this.body, 'drain', { signal: this.closed }).catch(() => undefined);
    clearTimeout(timer);
  }
}
