import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import type { Send } from '../../../src/sources/source-request.js';
import { listen } from '../servers/loopback.js';
import type { KnownSecrets, RequestCheck, VendorCallRecord } from './shipped-checks.js';

export interface StubReply {
  readonly status: number;
  /** Sent as JSON, except for a string, which is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A vendor with one authentication method, written from its documentation. */
export interface StubbedVendor {
  /** The request of the credential test. Undefined if the test is only a token exchange. */
  readonly call?: string;
  /** Whether the request has the right credential. */
  readonly check?: RequestCheck;
  readonly exchange?: {
    readonly url: string;
    readonly check: RequestCheck;
    readonly good: (accessToken: string) => object;
    readonly bad: StubReply;
  };
  readonly good: StubReply;
  readonly bad: StubReply;
}

const ORIGINAL = 'x-original-url';

/** Simulates one vendor at a time, for all of its hosts. */
export class ShippedServer {
  /** Overrides the response to requests with a valid credential. */
  instead: { call?: StubReply; exchange?: StubReply } = {};
  /** Requests that the vendor does not support. */
  readonly unexpectedRequests: string[] = [];
  #played!: StubbedVendor;
  #known!: KnownSecrets;
  #closedPort = 1;
  #down = false;
  readonly #outbound = new OutboundClient({ allow: ['127.0.0.0/8'] });
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<void> {
    await listen(this.#server);
  }

  async stop(): Promise<void> {
    await this.#outbound.close();
    this.#server.close();
  }

  simulate(played: StubbedVendor, known: KnownSecrets): void {
    this.#played = played;
    this.#known = known;
    this.instead = {};
    this.unexpectedRequests.length = 0;
    this.#down = false;
  }

  /** Makes requests fail with a refused connection. */
  goDown(): void {
    this.#down = true;
  }

  /** Sends through the real client, but to loopback. A header contains the original URL. */
  readonly send: Send = async (url, request) => {
    const { pathname, search } = new URL(url);
    const port = this.#down ? this.#closedPort : (this.#server.address() as AddressInfo).port;
    const loopback = `http://127.0.0.1:${port}`;
    const headers = { ...request?.headers, [ORIGINAL]: url };
    const reply = await this.#outbound.request(loopback + pathname + search, { ...request, headers });
    return { ...reply, url: reply.url.startsWith(loopback) ? url : reply.url };
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const {
      status,
      body = {},
      headers,
    } = await this.#reply({
      method: request.method ?? '',
      url: new URL(request.headers[ORIGINAL] as string),
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    });
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }

  async #reply(call: VendorCallRecord): Promise<StubReply> {
    if (!call.headers['user-agent']) return { status: 403, body: 'User agent required' };
    const { exchange, call: expected, check, good, bad } = this.#played;
    if (call.method === 'POST' && call.url.href === exchange?.url) {
      if (!(await exchange.check(call, this.#known))) return exchange.bad;
      return this.instead.exchange ?? { status: 200, body: exchange.good(this.#known.accessToken) };
    }
    if (`${call.method} ${call.url.href}` === expected) {
      return (await check?.(call, this.#known)) ? (this.instead.call ?? good) : bad;
    }
    this.unexpectedRequests.push(`${call.method} ${call.url.href}`);
    return { status: 404 };
  }
}
