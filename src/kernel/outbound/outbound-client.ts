import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { Agent, type Dispatcher, errors } from 'undici';
import { VERSION } from '../project-root.js';
import { AddressGuard, guardedConnector, type Lookup } from './address-guard.js';
import { hasBlockedPort, isReservedPort, portOf } from './blocked-ports.js';
import { type GuardRule, OutboundError } from './outbound-error.js';
import { discardResponse, type OutboundResponse, readResponse } from './read-response.js';

export { OutboundError, type OutboundResponse as OutboundReply };

export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Of the reply's body, after decompression. */
  readonly maxBytes?: number;
  /** Milliseconds, from the resolving of the first name to the last byte behind the last redirect. */
  readonly timeoutMs?: number;
  /** The request or job that causes the call, for the log. */
  readonly requestId?: string;
}

/** A call that the guard refused, without path, query, headers and body: they could hold secrets. */
export interface BlockedCall {
  /** Undefined if the address cannot be parsed. */
  readonly host?: string;
  readonly port?: number;
  readonly rule: GuardRule;
  readonly requestId?: string;
}

interface OutboundOptions {
  /** Networks outside the public internet that calls may reach, also by plain http. */
  readonly allow: readonly string[];
  /** Tests resolve names by a function of their own; the guard checks what it finds like any other address. */
  readonly lookup?: Lookup;
  /** Sent with each call that has no `User-Agent` of its own. */
  readonly userAgent?: string;
  readonly onBlockedCall?: (refusal: BlockedCall) => void;
}

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array;
}

/** RFC 9110, section 10.1.5. Vendors such as GitHub reject a request without one. */
export const USER_AGENT = `Taproot/${VERSION}`;

const MAX_RESPONSE_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 3;

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/** What another origin may see of the caller's headers. */
const SHARED_HEADERS = ['accept', 'content-type', 'user-agent'];

/** They say where a message goes and where it ends. `Host` would even choose which certificate is asked for. */
const MANAGED_HEADERS = /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** The one way out: every call that leaves the service goes through here, and only to where it may. */
export class OutboundClient {
  readonly #agent: Agent;
  readonly #guard: AddressGuard;
  readonly #userAgent: string;
  readonly #onRefusal: (refusal: BlockedCall) => void;
  readonly #sockets = new Set<Socket>();
  readonly #running = new Set<AbortController>();
  #closed = false;

  constructor(options: OutboundOptions) {
    const {
      allow,
      lookup = systemLookup,
      userAgent = USER_AGENT,
      onBlockedCall: onRefusal = () => undefined,
    } = options;
    this.#userAgent = userAgent;
    this.#onRefusal = onRefusal;
    const guard = new AddressGuard(allow);
    this.#guard = guard;
    const opened = (socket: Socket) => {
      this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)));
    };
    const http = guardedConnector({ guard, protocol: 'http:', lookup, opened });
    const https = guardedConnector({ guard, protocol: 'https:', lookup, opened });
    this.#agent = new Agent({
      connect: (target, done) => (target.protocol === 'https:' ? https : http)(target, done),
      // With HTTP/2 calls would share connections, wait for each other's and be sent again.
      allowH2: false,
      // The deadline of the whole call is the only one.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Whether calls may go to an address, as far as the address itself tells: a name is resolved, and checked, at each call. Plain http
   * is for addresses of `allow` alone, so a name needs https.
   */
  isAllowed(url: URL): boolean {
    if (ruleAgainstUrl(url)) return false;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const protocol = url.protocol as 'http:' | 'https:';
    return isIP(host) ? this.#guard.permits(host, protocol, isReservedPort(url)) : protocol === 'https:';
  }

  async request(
    url: string,
    { timeoutMs: timeout = TIMEOUT_MS, ...request }: OutboundRequest = {},
  ): Promise<OutboundResponse> {
    if (this.#closed) throw new OutboundError('closed');
    const running = new AbortController();
    this.#running.add(running);
    const timer = setTimeout(() => running.abort(new OutboundError('timeout')), timeout);
    try {
      // undici heeds the signal of a request only once it is connected.
      return await Promise.race([aborted(running.signal), this.#follow(url, request, running.signal)]);
    } catch (error) {
      throw toOutboundError(error);
    } finally {
      clearTimeout(timer);
      this.#running.delete(running);
    }
  }

  /** Ends what is running, and returns when no connection is left that could keep the process alive. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const running of this.#running) running.abort(new OutboundError('closed'));
    const destroyed = this.#agent.destroy();
    // undici knows of no socket before it is connected.
    for (const socket of this.#sockets) socket.destroy();
    await destroyed;
  }

  async #follow(address: string, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { method = 'GET', headers = {}, body, maxBytes = MAX_RESPONSE_BYTES, requestId } = request;
    let target = URL.parse(address);
    try {
      let hop: Hop = { url: allowedUrl(target), method: method.toUpperCase(), headers: parseHeaders(headers), body };
      for (let redirects = 0; ; redirects++) {
        const reply = await this.#send(hop, signal);
        const location = REDIRECT_STATUSES.includes(reply.statusCode) && [reply.headers.location].flat()[0];
        if (!location) return await readResponse(reply, { ...hop, maxBytes });
        discardResponse(reply);
        if (redirects === MAX_REDIRECTS) throw new OutboundError('too_many_redirects');
        target = URL.parse(location, hop.url);
        hop = redirected(hop, reply.statusCode, allowedUrl(target));
      }
    } catch (error) {
      const rule = error instanceof OutboundError && error.rule;
      if (rule) this.#onRefusal({ ...placeOf(target), rule, requestId });
      throw error;
    }
  }

  #send({ url, method, headers, body }: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = url;
    const all = { 'user-agent': this.#userAgent, 'accept-encoding': 'gzip, br', ...Object.fromEntries(headers) };
    return this.#agent.request({ origin, path: pathname + search, method, headers: all, body, signal });
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

function allowedUrl(url: URL | null): URL {
  const rule = url ? ruleAgainstUrl(url) : 'url';
  if (!url || rule) throw OutboundError.blocked('url_not_allowed', rule ?? 'url');
  return url;
}

function ruleAgainstUrl(url: URL): GuardRule | undefined {
  if (!['http:', 'https:'].includes(url.protocol)) return 'scheme';
  if (url.username || url.password) return 'userinfo';
  return hasBlockedPort(url) ? 'blocked_port' : undefined;
}

function placeOf(url: URL | null): Pick<BlockedCall, 'host' | 'port'> {
  return url?.hostname ? { host: url.hostname, port: portOf(url) } : {};
}

function parseHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    // Headers itself takes line ends around a value for white space, and drops them.
    if (MANAGED_HEADERS.test(name) || /[\0\r\n]/.test(value)) throw forbiddenHeader();
    try {
      headers.append(name, value);
    } catch {
      throw forbiddenHeader();
    }
  }
  return headers;
}

function forbiddenHeader(): OutboundError {
  return OutboundError.blocked('request_not_allowed', 'header');
}

function redirected({ url: from, method, headers, body }: Hop, status: number, url: URL): Hop {
  const kept = new Headers(headers);
  const toGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
  if (toGet) kept.delete('content-type');
  if (url.origin !== from.origin) {
    if (body !== undefined && !toGet) throw OutboundError.blocked('redirect_not_allowed', 'redirected_body');
    for (const name of headers.keys()) if (!SHARED_HEADERS.includes(name)) kept.delete(name);
  }
  return toGet ? { url, method: 'GET', headers: kept } : { url, method, headers: kept, body };
}

function toOutboundError(cause: unknown): OutboundError {
  if (cause instanceof OutboundError) return cause;
  if (cause instanceof errors.ConnectTimeoutError) return new OutboundError('timeout', { cause });
  if (cause instanceof errors.InvalidArgumentError) return new OutboundError('request_not_allowed', { cause });
  if (cause instanceof errors.HeadersOverflowError) return new OutboundError('reply_too_large', { cause });
  if (cause instanceof errors.HTTPParserError) return new OutboundError('broken_reply');
  return new OutboundError('unreachable', { cause });
}
