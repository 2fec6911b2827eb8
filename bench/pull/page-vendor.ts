import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { PAGE_RECORDS, type VendorRequest, type VendorSettings } from './vendor-settings.js';

/** The vendor generates this many pages before the measurement, and repeats them. */
const DISTINCT_PAGES = 50;

const BLOCK_RECORDS = 2_000;

const lists = Array.from({ length: DISTINCT_PAGES }, (_, nth) =>
  Buffer.from(recordsFrom(nth * PAGE_RECORDS, PAGE_RECORDS)),
);
const block = Buffer.from(recordsFrom(0, BLOCK_RECORDS));

let settings: VendorSettings = { pages: 1, pageBytes: 0, latencyMs: 0 };
let requests: VendorRequest[] = [];
let hasRejected = false;

const server = createServer((request, response) => {
  respond(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url as string, 'http://localhost');
  if (url.pathname === '/settings') {
    settings = JSON.parse(Buffer.concat(await request.toArray()).toString());
    requests = [];
    hasRejected = false;
    return void response.end();
  }
  if (url.pathname === '/requests') return void response.end(JSON.stringify(requests));
  response.setHeader('content-type', 'application/json');
  if (url.pathname === '/me') return void response.end('{}');
  const rejects = settings.rejectAfter !== undefined && requests.length >= settings.rejectAfter && !hasRejected;
  requests.push({ at: Date.now(), token: request.headers.authorization ?? '', isRejected: rejects });
  if (rejects) {
    hasRejected = true;
    return void response.writeHead(429, { 'retry-after': String(settings.retryAfterSeconds) }).end('{}');
  }
  if (settings.latencyMs > 0) await wait(settings.latencyMs);
  if (url.pathname === '/page') return sendLargePage(response);
  const page = Number(url.searchParams.get('cursor') ?? 0);
  const next = page + 1 < settings.pages ? page + 1 : null;
  response.write('{"items":[');
  response.write(lists[page % DISTINCT_PAGES]);
  response.end(`],"next":${next}}`);
}

async function sendLargePage(response: ServerResponse): Promise<void> {
  async function* body() {
    yield '{"items":[';
    for (let bytes = block.length; bytes < settings.pageBytes; bytes += block.length + 1) {
      yield block;
      yield ',';
    }
    yield block;
    yield '],"next":null}';
  }
  await pipeline(Readable.from(body()), response);
}

function recordsFrom(start: number, count: number): string {
  return Array.from({ length: count }, (_, nth) => {
    const id = start + nth;
    const [name, email] = [`customer ${id % 1_000}`, `user${id}@example.com`];
    const at = new Date(1_700_000_000_000 + id * 1_000).toISOString();
    return JSON.stringify({ id, name, amount: (id % 10_000) / 100, at, email, active: id % 2 === 0, tags: ['a', 'b'] });
  }).join();
}
