import type { RequestListener } from 'node:http';
import { type Loopback, listenOnLoopback } from './loopback.js';

/** A port of 127.0.0.1. The servers of several test files listen on it one after another. */
export class KeptPort {
  readonly origin: string;
  #listener: RequestListener | undefined;

  async open(): Promise<this> {
    const loopback = await listenOnLoopback((request, response) =>
      this.#listener ? this.#listener(request, response) : response.destroy(),
    );
    return Object.assign(this, { origin: loopback.origin });
  }

  async listen(listener: RequestListener): Promise<Loopback> {
    this.#listener = listener;
    const close = async (): Promise<void> => {
      this.#listener = undefined;
    };
    return { origin: this.origin, close };
  }
}
