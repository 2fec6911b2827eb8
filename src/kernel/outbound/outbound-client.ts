import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { Agent, type Dispatcher, errors } from 'undici';
import { FileStoreError } from '../files/file-store.js';
import { VERSION } from '../project-root.js';
import { AddressGuard, guardedConnector, type Lookup } from './address-guard.js';
import { hasBlockedPort, isReservedPort, portOf } from './blocked-ports.js';
import { type GuardRule, OutboundError } from './outbound-error.js';
import { discardResponse, type OutboundResponse, readResponse, type Spool } from './read-response.js';

export { OutboundError, type OutboundResponse as OutboundReply };

export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Applies to the response body after decompression. */
  readonly maxBytes?: number;
  /** With a spool, the body of a successful response may exceed `maxBytes`, up to the limit of the spool. */
  readonly spool?: Spool;
  /**
   * Time for the whole call including redirects, from the first DNS lookup to the last byte. With a spool, the time
   * restarts while a large body arrives (see `Spool`).
   */
  readonly timeoutMs?: number;
  /** Id of the request or job that causes the call, for the log. */
  readonly requestId?: string;
  /** If the signal is aborted, the call throws the abort reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A call that the guard blocked. Omits path, query, headers and body, because they may contain secrets. */
export interface BlockedCall {
  /** Undefined if the URL cannot be parsed. */
  readonly host?: string;
  readonly port?: number;
  readonly rule: GuardRule;
  readonly requestId?: string;
}

interface OutboundOptions {
  /** Non-public networks that calls may reach, also with plain HTTP and on reserved ports. */
  readonly allow: readonly string[];
  /** Replaces DNS in tests. The guard checks the returned addresses like any other address. */
  readonly lookup?: Lookup;
  /** `User-Agent` of calls that do not set one. */
  readonly userAgent?: string;
  readonly onBlockedCall?: (refusal: BlockedCall) => void;
}

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array;
}

/** RFC 9110, section 10.1.5. Vendors such as GitHub reject a request without a `User-Agent`. */
export const USER_AGENT = `Taproot/${VERSION}`;

const MAX_RESPONSE_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 3;

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/** The client also sends these headers after a redirect to another origin. */
const SHARED_HEADERS = ['accept', 'content-type', 'user-agent'];

/** Headers for routing and framing, which callers must not set. */
const MANAGED_HEADERS = /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** Makes all outbound HTTP calls of the service, and enforces the guard for each call. */
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
      // HTTP/2 would multiplex calls on shared connections and retry them.
      allowH2: false,
      // The client enforces a deadline for the whole call instead.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Returns whether the guard permits the URL itself. The client resolves a host name, and checks its addresses, only
   * when it makes a call. Returns false for plain HTTP to a host name, because the guard permits plain HTTP only to
   * addresses in `allow`.
   */
  isAllowed(url: URL): boolean {
    if (ruleAgainstUrl(url)) return false;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const protocol = url.protocol as 'http:' | 'https:';
    return isIP(host) ? this.#guard.permits(host, protocol, isReservedPort(url)) : protocol === 'https:';
  }

  async request(
    url: string,
    { timeoutMs: timeout = TIMEOUT_MS, signal: caller, ...request }: OutboundRequest = {},
  ): Promise<OutboundResponse> {
    if (this.#closed) throw new OutboundError('closed');
    caller?.throwIfAborted();
    const running = new AbortController();
    this.#running.add(running);
    const timer = setTimeout(() => running.abort(new OutboundError('timeout')), timeout);
    const signal = caller ? AbortSignal.any([running.signal, caller]) : running.signal;
    const response = this.#follow(url, request, signal, () => timer.refresh());
    try {
      // undici ignores the signal of a request until the connection is established.
      return await Promise.race([aborted(signal), response]);
    } catch (error) {
      void response.then(({ spooled }) => spooled?.discard()).catch(() => undefined);
      caller?.throwIfAborted();
      throw toOutboundError(error);
    } finally {
      clearTimeout(timer);
      this.#running.delete(running);
    }
  }

  /**
   * Aborts running calls. Resolves after all connections are closed, because an open connection would keep the process
   * alive.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (const running of this.#running) running.abort(new OutboundError('closed'));
    const destroyed = this.#agent.destroy();
    // undici does not track sockets that are still connecting.
    for (const socket of this.#sockets) socket.destroy();
    await destroyed;
  }

  async #follow(
    address: string,
    request: OutboundRequest,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<OutboundResponse> {
    const { method = 'GET', headers = {}, body, maxBytes = MAX_RESPONSE_BYTES, spool, requestId } = request;
    let target = URL.parse(address);
    try {
      let hop: Hop = { url: allowedUrl(target), method: method.toUpperCase(), headers: parseHeaders(headers), body };
      for (let redirects = 0; ; redirects++) {
        const reply = await this.#send(hop, signal);
        const location = REDIRECT_STATUSES.includes(reply.statusCode) && [reply.headers.location].flat()[0];
        if (!location) return await readResponse(reply, { ...hop, maxBytes, spool, onProgress });
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
    // `Headers` silently removes line breaks around a value, so this check comes first.
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

function toOutboundError(cause: unknown): OutboundError | FileStoreError {
  if (cause instanceof OutboundError || cause instanceof FileStoreError) return cause;
  if (cause instanceof errors.ConnectTimeoutError) return new OutboundError('timeout', { cause });
  if (cause instanceof errors.InvalidArgumentError) return new OutboundError('request_not_allowed', { cause });
  if (cause instanceof errors.HeadersOverflowError) return new OutboundError('reply_too_large', { cause });
  if (cause instanceof errors.HTTPParserError) return new OutboundError('broken_reply');
  return new OutboundError('unreachable', { cause });
}
