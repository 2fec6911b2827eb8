import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Fault, Faults } from './faults.js';
import { RequestWindow } from './request-window.js';
import { readShop, type ShopResponse } from './shop-api.js';
import { type Order, ShopData } from './shop-data.js';

/** Twice the rate in the definition, because the service may send short bursts above the rate. */
const REQUESTS_PER_SECOND = 40;

interface FakeVendorOptions {
  /** Port of the vendor. With 0, the operating system selects a free port. */
  readonly port?: number;
  readonly orders?: number;
  /** Maximum number of requests per second per API key. Above this rate, the vendor returns 429. */
  readonly requestsPerSecond?: number;
}

/**
 * A shop with an HTTP API on 127.0.0.1. `/v1` requires an API key and has a rate limit. Other endpoints need no key.
 * `POST /orders` adds or changes an order, and `POST /faults` and `DELETE /faults` switch faults on and off.
 */
export class FakeVendor {
  readonly data: ShopData;
  readonly faults = new Faults();
  /** Path and query of all requests to `/v1`, in order of arrival. */
  readonly requests: string[] = [];
  origin = '';
  readonly #server: Server;
  readonly #window: RequestWindow;

  private constructor({ orders = 250, requestsPerSecond = REQUESTS_PER_SECOND }: FakeVendorOptions) {
    this.data = new ShopData(orders);
    this.#window = new RequestWindow(requestsPerSecond);
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** Throws if the port is in use. */
  static async start(options: FakeVendorOptions = {}): Promise<FakeVendor> {
    const vendor = new FakeVendor(options);
    vendor.#server.listen(options.port ?? 0, '127.0.0.1');
    await once(vendor.#server, 'listening');
    vendor.origin = `http://127.0.0.1:${(vendor.#server.address() as AddressInfo).port}`;
    return vendor;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const reply = url.pathname.startsWith('/v1/')
      ? await this.#read(url, request.headers['x-api-key'])
      : await this.#control(`${request.method} ${url.pathname}`, request);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(`${JSON.stringify(reply.body)}\n`);
  }

  async #read(url: URL, key: string | string[] | undefined): Promise<ShopResponse> {
    this.requests.push(url.pathname + url.search);
    const fault = this.faults.take(url.pathname);
    if (fault?.delayMs) await this.faults.delay(fault);
    if (fault?.status)
      return { status: fault.status, body: fault.body ?? { error: 'Fault.' }, headers: fault.headers ?? {} };
    const apiKey = typeof key === 'string' ? key : undefined;
    if (!this.#window.admits(apiKey ?? ''))
      return { status: 429, body: { error: 'Too many requests.' }, headers: { 'retry-after': '1' } };
    return readShop(this.data, url, apiKey);
  }

  async #control(operation: string, request: IncomingMessage): Promise<ShopResponse> {
    if (operation === 'DELETE /faults') {
      this.faults.switchOff();
      return { status: 200, body: {} };
    }
    const body = await json(request).catch(() => undefined);
    if (typeof body !== 'object' || body === null) return { status: 400, body: { error: 'Send a JSON object.' } };
    if (operation === 'POST /orders') return { status: 200, body: this.data.saveOrder(body as Partial<Order>) };
    if (operation !== 'POST /faults') return { status: 404, body: { error: 'Not found.' } };
    this.faults.switchOn(body as Fault);
    return { status: 200, body };
  }
}
