import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { VendorCall } from './vendor-call.js';

/** What a server does in place of its duty. */
export type Behaviour = (call: VendorCall, response: ServerResponse) => void;

const KiB = 1024;
const GiB = KiB ** 3;
const JSON_TYPE = { 'content-type': 'application/json' };

export function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (_, response) => {
    response.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify(body));
  };
}

export const unauthorized = (): Behaviour => answer(401, { ok: false, error: 'unauthorized' });
export const expired = (): Behaviour => answer(401, { ok: false, error: 'expired' });
export const forbidden = (): Behaviour => answer(403, { ok: false, error: 'forbidden' });
/** As GitHub answers: https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api */
export const withoutUserAgent = (): Behaviour => answer(403, { ok: false, error: 'user_agent_required' });
export const notFound = (): Behaviour => answer(404, { ok: false, error: 'not_found' });
export const down = (status = 500): Behaviour => answer(status, { ok: false, error: 'internal' });

/** `retryAfter` in seconds, or an HTTP date. */
export const throttled = (retryAfter: number | string = 7): Behaviour =>
  answer(429, { ok: false, error: 'rate_limited' }, { 'retry-after': String(retryAfter) });

/** Says 200 and means no, as Slack does. */
export const errorBody = (error = 'invalid_auth'): Behaviour => answer(200, { ok: false, error });

/** What a proxy before the vendor shows those who have not signed in. */
export const loginPage = (): Behaviour => (_, response) => {
  const page = '<!doctype html><title>Sign in</title><form method="post"><input name="password"></form>';
  response.writeHead(200, { 'content-type': 'text/html' }).end(page);
};

export const redirectTo =
  (location: string, status = 302): Behaviour =>
  (_, response) => {
    response.writeHead(status, { location }).end();
  };

/** Takes the request and never says a word. */
export const hang = (): Behaviour => () => undefined;

/** A byte now, and one each further second, without end. */
export const drip = (): Behaviour => (_, response) => {
  response.writeHead(200, JSON_TYPE).write(' ');
  const timer = setInterval(() => response.write(' '), 1_000);
  response.on('close', () => clearInterval(timer));
};

/** Good JSON, were it ever read to its end. */
export const endless =
  (bytes = 10 * GiB): Behaviour =>
  (_, response) =>
    stream(response, repeat(Buffer.alloc(64 * KiB, ' '), bytes));

/** Some 10 MiB that unpack to 10 GiB: members of a gzip file may follow each other (RFC 1952, section 2.2). */
export const gzipBomb = (): Behaviour => (_, response) => {
  const member = gzipSync(Buffer.alloc(10 * KiB * KiB, ' '));
  response.setHeader('content-encoding', 'gzip');
  stream(response, repeat(member, member.length * KiB));
};

/** Repeats all that it was told, credentials and all, wherever a client might look for a name, for scopes or for reasons. */
export const echo =
  (status = 200): Behaviour =>
  (call, response) => {
    const scopes = toldIn(call);
    const everything = scopes.join(' ');
    const body = {
      ok: status < 400,
      id: everything,
      email: everything,
      scopes,
      error: everything,
      message: everything,
    };
    answer(status, body, { 'x-echo': encodeURIComponent(everything) })(call, response);
  };

const TELLING = ['authorization', 'x-api-key', 'x-session', 'dd-api-key', 'dd-application-key'];

/** The values of a request that may be secret; of `Authorization` what follows the scheme. */
function toldIn({ headers, query, body }: VendorCall): string[] {
  const inHeaders = TELLING.flatMap((name) => headers[name] ?? []).map((value) =>
    value.replace(/^(Basic|Bearer) /, ''),
  );
  return [...inHeaders, ...query.values(), body].filter((value) => value !== '');
}

function stream(response: ServerResponse, chunks: Iterable<Buffer>): void {
  response.writeHead(200, JSON_TYPE);
  // Whoever has had enough hangs up, which is no fault of the server's.
  pipeline(Readable.from(chunks), response, () => undefined);
}

function* repeat(chunk: Buffer, bytes: number): Iterable<Buffer> {
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
}
