import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { errorBody, STATUS_BY_CODE } from '../../rest-facade/errors.js';
import { noteRequest } from '../kernel/concurrency/background-turn.js';
import type { ErrorCode } from '../kernel/errors.js';
import { formatBytes } from '../kernel/formats/format-bytes.js';
import { limitConnections } from './connection-limit.js';
import { corsHeaders } from './cors.js';
import { enforceRequestTimeouts, REQUEST_TIMEOUTS, type RequestTimeouts } from './request-timeouts.js';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 10_000;
/** The server closes a connection after this time without data in either direction. */
const SOCKET_TIMEOUT_MS = 120_000;
/**
 * Greater than the idle timeout of common proxies (nginx and AWS: 60 s), so that the proxy closes the connection first
 * and never sends a request on a closed connection.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

type Headers = Record<string, string | number>;

const ORIGIN = /\r\norigin:[ \t]*(\S+)/i;

const REQUEST_TIMED_OUT: [ErrorCode, string] = [
  'REQUEST_TIMEOUT',
  'The request did not arrive in time. Send the request again.',
];

/** Responses to parser errors, which Node reports before it calls Koa. */
const PARSER_ERRORS: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: [
    'HEADERS_TOO_LARGE',
    `The URL and the headers exceed the limit of ${formatBytes(MAX_HEADER_BYTES)} in total.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: REQUEST_TIMED_OUT,
};

export interface HttpServerOptions {
  readonly limits?: RequestTimeouts;
  readonly corsOrigins?: readonly string[];
  /** Maximum number of open connections per IP address. */
  readonly connectionsPerAddress?: number;
  /** After this signal is aborted, every response closes its connection. */
  readonly stopping?: AbortSignal;
}

/** All error responses have a body. */
export function createHttpServer(
  app: Koa,
  {
    limits = REQUEST_TIMEOUTS,
    corsOrigins = [],
    connectionsPerAddress = MAX_CONNECTIONS,
    stopping,
  }: HttpServerOptions = {},
): Server {
  const server = createServer({
    ...(stopping && { ServerResponse: responseUntil(stopping) }),
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: HEADERS_TIMEOUT_MS + limits.formMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // The app itself rejects requests without a Host header, because Node's response to them would have no body.
    requireHostHeader: false,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = SOCKET_TIMEOUT_MS;
  const handle = app.callback();
  const cors = (origin: string | undefined): Headers => corsHeaders(corsOrigins, origin);
  const handleInTime = (request: IncomingMessage, response: ServerResponse): void => {
    response.once('close', noteRequest());
    enforceRequestTimeouts(request, response, limits, () =>
      refuse(request.socket, ...REQUEST_TIMED_OUT, cors(request.headers.origin)),
    );
    handle(request, response);
  };
  const crowded = `At most ${connectionsPerAddress} connections from one address may be open. Close one of them, or try again later.`;
  limitConnections(server, connectionsPerAddress, (socket) => refuse(socket, 'TOO_MANY_REQUESTS', crowded));
  server.on('request', handleInTime);
  server.on('checkContinue', (request, response) => {
    // Sends 100 Continue when the app starts to read the body, so that clients do not send the bodies of rejected
    // requests.
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    handleInTime(request, response);
  });
  server.on('checkExpectation', ({ headers: { origin } }, response: ServerResponse) => {
    const body = errorBody('BAD_REQUEST', 'The only supported value of the Expect header is 100-continue.');
    response.writeHead(STATUS_BY_CODE.BAD_REQUEST, { ...headers('BAD_REQUEST', body), ...cors(origin) }).end(body);
  });
  server.on('connect', (_request, socket) =>
    refuse(socket, 'BAD_REQUEST', 'This server is not a proxy, so it does not support the method CONNECT.'),
  );
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const [code, message] = PARSER_ERRORS[error.code ?? ''] ?? ['BAD_REQUEST', 'The data is not a valid HTTP request.'];
    // Node has not parsed the request, so the server extracts the Origin header from the bytes.
    const [, origin] = ORIGIN.exec(error.rawPacket?.toString('latin1') ?? '') ?? [];
    return refuse(socket, code, message, cors(origin));
  });
  return server;
}

/**
 * After `stopping` is aborted, responses close their connections. Otherwise, a proxy could send a request on a
 * connection that is about to close (RFC 9112, section 9.6).
 */
function responseUntil(stopping: AbortSignal): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    // Node calls `writeHead` for each response, even without explicit headers.
    override writeHead(...args: unknown[]): this {
      if (stopping.aborted) this.shouldKeepAlive = false;
      return super.writeHead(...(args as [number]));
    }
  };
}

function headers(code: ErrorCode, body: string): Headers {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Error-Code': code,
    'X-Request-ID': randomUUID(),
    'Cache-Control': 'no-store',
  };
}

function refuse(socket: Duplex, code: ErrorCode, message: string, more: Headers = {}): void {
  const body = errorBody(code, message);
  const lines = Object.entries({ ...headers(code, body), ...more, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  // Without the callback, a client that does not close its side would keep the socket and the server open indefinitely.
  socket.end(`HTTP/1.1 ${STATUS_BY_CODE[code]} ${code}\r\n${head}\r\n${body}`, () => socket.destroy());
}
