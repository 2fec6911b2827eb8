import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import type { Send } from '../../../src/sources/source-request.js';
import { close, listen } from './loopback.js';

/** A request to a vendor, with the URL that the client sent. */
export interface VendorCallRecord {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface StubReply {
  readonly status: number;
  /** Body as JSON. The server sends a string or bytes unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

const ORIGINAL = 'x-original-url';

/** Receives the requests to all hosts on loopback. The requests pass through the real outbound client. */
export class AnyHostServer {
  /** Makes requests fail with a refused connection. */
  isDown = false;
  readonly #outbound = new OutboundClient({ allow: ['127.0.0.0/8'] });
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #reply: (call: VendorCallRecord) => StubReply | Promise<StubReply>;

  constructor(reply: (call: VendorCallRecord) => StubReply | Promise<StubReply>) {
    this.#reply = reply;
  }

  async start(): Promise<void> {
    await listen(this.#server);
  }

  async stop(): Promise<void> {
    await this.#outbound.close();
    await close(this.#server);
  }

  /** Sends a request to the server. A header contains the original URL. */
  readonly send: Send = async (url, request) => {
    const { pathname, search } = new URL(url);
    const port = this.isDown ? 1 : (this.#server.address() as AddressInfo).port;
    const loopback = `http://127.0.0.1:${port}`;
    const headers = { ...request?.headers, [ORIGINAL]: url };
    const reply = await this.#outbound.request(loopback + pathname + search, { ...request, headers });
    return { ...reply, url: reply.url.startsWith(loopback) ? url : reply.url };
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { [ORIGINAL]: original, ...headers } = request.headers;
    const call = {
      method: request.method ?? '',
      url: new URL(original as string),
      headers: headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    };
    const { status, body = {}, headers: more } = await this.#replyTo(call);
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...more });
    response.end(isText || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  }

  /**
   * Returns the response to a call. An error of the test's own code fails the request immediately instead of at its
   * deadline.
   */
  async #replyTo(call: VendorCallRecord): Promise<StubReply> {
    try {
      return await this.#reply(call);
    } catch (error) {
      return { status: 400, body: { message: `${error}` } };
    }
  }
}
