import type { Send } from '../../../src/sources/source-request.js';
import { AnyHostServer, type StubReply, type VendorCallRecord } from '../servers/any-host-server.js';
import type { KnownSecrets, RequestCheck } from './shipped-checks.js';

export interface StubbedVendor {
  /** Method and URL of the credential test. Undefined if the test is only a token exchange. */
  readonly call?: string;
  readonly check?: RequestCheck;
  readonly exchange?: {
    readonly url: string;
    readonly check: RequestCheck;
    readonly good: (accessToken: string) => object;
    readonly bad: StubReply;
  };
  readonly good: StubReply;
  readonly bad: StubReply;
  /** Query parameters that contain the credential. The URL in `call` omits these parameters. */
  readonly keyParameters?: readonly string[];
}

/** Simulates one vendor at a time, with all of its hosts. */
export class ShippedServer {
  /** Overrides the response to requests with a valid credential. */
  instead: { call?: StubReply; exchange?: StubReply } = {};
  /** Method and URL of each unexpected request. */
  readonly unexpectedRequests: string[] = [];
  #played!: StubbedVendor;
  #known!: KnownSecrets;
  readonly #server = new AnyHostServer((call) => this.#reply(call));
  readonly send: Send = this.#server.send;

  start(): Promise<void> {
    return this.#server.start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  simulate(played: StubbedVendor, known: KnownSecrets): void {
    this.#played = played;
    this.#known = known;
    this.instead = {};
    this.unexpectedRequests.length = 0;
    this.#server.isDown = false;
  }

  /** Refuses connections until the next `simulate`. */
  goDown(): void {
    this.#server.isDown = true;
  }

  async #reply(call: VendorCallRecord): Promise<StubReply> {
    if (!call.headers['user-agent']) return { status: 403, body: 'User agent required' };
    const { exchange, call: expected, check, good, bad, keyParameters = [] } = this.#played;
    if (call.method === 'POST' && call.url.href === exchange?.url) {
      if (!(await exchange.check(call, this.#known))) return exchange.bad;
      return this.instead.exchange ?? { status: 200, body: exchange.good(this.#known.accessToken) };
    }
    const url = new URL(call.url);
    for (const name of keyParameters) url.searchParams.delete(name);
    if (`${call.method} ${url.href}` === expected) {
      return (await check?.(call, this.#known)) ? (this.instead.call ?? good) : bad;
    }
    this.unexpectedRequests.push(`${call.method} ${call.url.href}`);
    return { status: 404 };
  }
}
