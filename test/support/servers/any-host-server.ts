import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import { readResponse } from '../../../src/kernel/outbound/read-response.js';
import type { Send } from '../../../src/sources/source-request.js';
import { close, listen } from './loopback.js';

/** `url` is the original URL, not the URL of the loopback server. */
export interface VendorCallRecord {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface StubReply {
  readonly status: number;
  /** Sent as JSON, unless it is a string or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

const ORIGINAL = 'x-original-url';

/** A server on loopback that receives the requests to all hosts. The requests pass through the real outbound client. */
export class AnyHostServer {
  /** If true, the server refuses connections. */
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

  /** Adds a header with the original URL. */
  readonly send: Send = async (url, request) => {
    const { pathname, search } = new URL(url);
    const port = this.isDown ? 1 : (this.#server.address() as AddressInfo).port;
    const loopback = `http://127.0.0.1:${port}`;
    const headers = { ...request?.headers, [ORIGINAL]: url };
    const reply = await this.#outbound.request(loopback + pathname + search, { ...request, headers });
    return { ...reply, url: reply.url.startsWith(loopback) ? url : reply.url };
  };

  /** Passes a request directly to the reply function, because a connection would take half of the CPU time. */
  readonly sendInProcess: Send = async (
    address,
    { method = 'GET', headers, body = '', maxBytes = Infinity, spool } = {},
  ) => {
    const url = new URL(address);
    const sent = Object.fromEntries(new Headers({ 'user-agent': 'taproot', ...headers }));
    const reply = contentOf(await this.#replyTo({ method, url, headers: sent, body: body.toString() }));
    const received = {
      statusCode: reply.status,
      headers: reply.headers,
      body: Readable.from([Buffer.from(reply.content)]),
    };
    return readResponse(received as never, { url, method, maxBytes, spool });
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
    const { status, headers: replied, content } = contentOf(await this.#replyTo(call));
    response.writeHead(status, replied);
    response.end(content);
  }

  /** An error in the test's own code fails the request immediately instead of at its deadline. */
  async #replyTo(call: VendorCallRecord): Promise<StubReply> {
    try {
      return await this.#reply(call);
    } catch (error) {
      return { status: 400, body: { message: `${error}` } };
    }
  }
}

function contentOf({ status, body = {}, headers: more }: StubReply) {
  const isText = typeof body === 'string';
  const content: string | Buffer = isText || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': isText ? 'text/plain' : 'application/json', ...more }, content };
}
