import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { VendorRequest } from './vendor-request.js';

export type VendorBehaviour = (call: VendorRequest, response: ServerResponse) => void;

const KiB = 1024;
const GiB = KiB ** 3;
const JSON_TYPE = { 'content-type': 'application/json' };

export function replyWith(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): VendorBehaviour {
  return (_, response) => {
    response.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify(body));
  };
}

export const replyUnauthorized = (): VendorBehaviour => replyWith(401, { ok: false, error: 'unauthorized' });
export const replyExpired = (): VendorBehaviour => replyWith(401, { ok: false, error: 'expired' });
export const replyForbidden = (): VendorBehaviour => replyWith(403, { ok: false, error: 'forbidden' });
/**
 * GitHub requires a `User-Agent` header: https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api
 */
export const replyUserAgentRequired = (): VendorBehaviour =>
  replyWith(403, { ok: false, error: 'user_agent_required' });
export const replyNotFound = (): VendorBehaviour => replyWith(404, { ok: false, error: 'not_found' });
export const replyServerError = (status = 500): VendorBehaviour => replyWith(status, { ok: false, error: 'internal' });

/** `retryAfter` is a number of seconds or an HTTP date. */
export const replyThrottled = (retryAfter: number | string = 7): VendorBehaviour =>
  replyWith(429, { ok: false, error: 'rate_limited' }, { 'retry-after': String(retryAfter) });

/** Reports an error with status 200, like Slack. */
export const replyErrorInOkBody = (error = 'invalid_auth'): VendorBehaviour => replyWith(200, { ok: false, error });

/** Returns the sign-in page of a proxy in front of the vendor. */
export const replyLoginPage = (): VendorBehaviour => (_, response) => {
  const page = '<!doctype html><title>Sign in</title><form method="post"><input name="password"></form>';
  response.writeHead(200, { 'content-type': 'text/html' }).end(page);
};

export const replyRedirect =
  (location: string, status = 302): VendorBehaviour =>
  (_, response) => {
    response.writeHead(status, { location }).end();
  };

export const neverReply = (): VendorBehaviour => () => undefined;

/** Sends one byte per second, and never ends. */
export const replySlowly = (): VendorBehaviour => (_, response) => {
  response.writeHead(200, JSON_TYPE).write(' ');
  const timer = setInterval(() => response.write(' '), 1_000);
  response.on('close', () => clearInterval(timer));
};

/** Sends `bytes` spaces. A JSON text may start with any number of spaces. */
export const replyEndlessly =
  (bytes = 10 * GiB): VendorBehaviour =>
  (_, response) =>
    stream(response, repeat(Buffer.alloc(64 * KiB, ' '), bytes));

/** Sends about 10 MiB that decompress to 10 GiB. A gzip file may contain several members (RFC 1952, section 2.2). */
export const replyGzipBomb = (): VendorBehaviour => (_, response) => {
  const member = gzipSync(Buffer.alloc(10 * KiB * KiB, ' '));
  response.setHeader('content-encoding', 'gzip');
  stream(response, repeat(member, member.length * KiB));
};

/**
 * Echoes the request, including credentials, in all fields that a client might read as names, scopes or error messages.
 */
export const replyEcho =
  (status = 200): VendorBehaviour =>
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
    replyWith(status, body, { 'x-echo': encodeURIComponent(everything) })(call, response);
  };

const TELLING = ['authorization', 'x-api-key', 'x-session', 'dd-api-key', 'dd-application-key'];

/**
 * Returns the header values, query parameters and body that may contain secrets. Removes the prefixes `Basic` and
 * `Bearer`.
 */
function toldIn({ headers, query, body }: VendorRequest): string[] {
  const inHeaders = TELLING.flatMap((name) => headers[name] ?? []).map((value) =>
    value.replace(/^(Basic|Bearer) /, ''),
  );
  return [...inHeaders, ...query.values(), body].filter((value) => value !== '');
}

function stream(response: ServerResponse, chunks: Iterable<Buffer>): void {
  response.writeHead(200, JSON_TYPE);
  // Ignores the error of a client that disconnects early.
  pipeline(Readable.from(chunks), response, () => undefined);
}

function* repeat(chunk: Buffer, bytes: number): Iterable<Buffer> {
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
}
