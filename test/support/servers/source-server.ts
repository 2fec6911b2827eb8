import { createServer, type IncomingHttpHeaders } from 'node:http';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import type { Send } from '../../../src/sources/source-request.js';
import { close, listen } from './loopback.js';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly form: Readonly<Record<string, string>>;
}

/** A number is a status. An object without `status` is a JSON body. */
export type StubResponse = number | object | { status: number; headers?: Record<string, string>; body?: unknown };

/** A source on loopback whose responses `respond` computes. */
export class SourceServer {
  readonly requests: ReceivedRequest[] = [];
  url: string;
  readonly #outbound = new OutboundClient({ allow: ['127.0.0.0/8'] });
  readonly #server = createServer(async (request, response) => {
    const url = new URL(request.url as string, this.url);
    const body = Buffer.concat(await request.toArray()).toString();
    const form = Object.fromEntries(new URLSearchParams(body));
    const received = {
      method: request.method as string,
      url,
      path: url.pathname,
      headers: request.headers,
      body,
      form,
    };
    this.requests.push(received);
    const { status, headers = {}, body: reply } = inFull(await this.respond(received));
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  });

  constructor(public respond: (received: ReceivedRequest) => StubResponse | Promise<StubResponse>) {}

  /** Uses an outbound client that may reach loopback. */
  readonly send: Send = (url, request) => this.#outbound.request(url, request);

  get last(): ReceivedRequest {
    return this.requests.at(-1) as ReceivedRequest;
  }

  at(path: string): ReceivedRequest[] {
    return this.requests.filter((received) => received.path === path);
  }

  async open(): Promise<this> {
    this.url = await listen(this.#server);
    return this;
  }

  async close(): Promise<void> {
    await this.#outbound.close();
    await close(this.#server);
  }
}

function inFull(answer: StubResponse): { status: number; headers?: Record<string, string>; body?: unknown } {
  if (typeof answer === 'number') return { status: answer, body: {} };
  return 'status' in answer && typeof answer.status === 'number' ? (answer as never) : { status: 200, body: answer };
}
