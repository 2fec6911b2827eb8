import { once } from 'node:events';
import { PassThrough } from 'node:stream';

/** If the buffers remain full for this time, the service disconnects the client. */
const STALLED_MS = 30_000;

/** Body of a response with server-sent events. Keeps at most two buffers of 16 KiB and one event in memory. */
export class EventStream {
  readonly body = new PassThrough();
  readonly #closed = new AbortController();
  #draining: Promise<unknown> | undefined;

  constructor(private readonly stalledMs = STALLED_MS) {
    this.body.once('close', () => this.#closed.abort());
    this.body.on('error', () => undefined); // The client has disconnected.
  }

  /** Aborts when the stream has ended or the client has disconnected. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Resolves when the client has read enough for another event, or has disconnected. */
  async ready(): Promise<void> {
    await this.#draining;
  }

  /** Writes all chunks and ends the body. Disconnects a client that has stopped reading. */
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
