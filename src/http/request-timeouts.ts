import type { IncomingMessage, ServerResponse } from 'node:http';

/** In milliseconds and bytes, counted from where the headers end. */
export interface RequestTimeouts {
  /** For a request to arrive as a whole. */
  readonly requestMs: number;
  /** The same for a form, which may bring a file. */
  readonly formMs: number;
  /** How often a form is looked at, and what it has to have brought since then. */
  readonly paceIntervalMs: number;
  readonly paceBytes: number;
  /** For the rest of a request that has its reply already. */
  readonly drainMs: number;
  readonly drainBytes: number;
}

export const REQUEST_TIMEOUTS: RequestTimeouts = {
  requestMs: 60_000,
  formMs: 60 * 60_000,
  paceIntervalMs: 30_000,
  paceBytes: 256 * 1024,
  drainMs: 10_000,
  drainBytes: 256 * 1024 * 1024,
};

/** How often, in milliseconds, the rest of a request is measured. */
const DRAIN_POLL_MS = 50;

const FORM = /^multipart\/form-data\b/i;

export function isMultipartForm({ headers }: IncomingMessage): boolean {
  return FORM.test(headers['content-type'] ?? '');
}

/**
 * Has a request arrive in time, whether or not anybody reads it: `refuse` is called where it does not and has no reply yet. Where it has one,
 * what still arrives is thrown away for a while before the connection is closed: a client that is sending would get a reset and never see the
 * reply (RFC 9112, section 9.6).
 */
export function enforceRequestTimeouts(
  request: IncomingMessage,
  response: ServerResponse,
  limits: RequestTimeouts,
  refuse: () => void,
): void {
  const { headers, socket } = request;
  if (!headers['transfer-encoding'] && !Number(headers['content-length'])) return;
  const isLate = isMultipartForm(request) ? formClock(request, limits) : () => true;
  const timer = setInterval(
    () => {
      if (request.complete || response.headersSent || !isLate()) return;
      clearInterval(timer);
      refuse();
    },
    isMultipartForm(request) ? limits.paceIntervalMs : limits.requestMs,
  ).unref();
  request.once('end', () => clearInterval(timer));
  response.once('close', () => {
    clearInterval(timer);
    if (!request.complete && !socket.destroyed) drainRequest(request, limits);
  });
}

/** Asked once an interval. Of what waits to be read it is not the client who is late. */
function formClock(request: IncomingMessage, { formMs: form, paceBytes }: RequestTimeouts): () => boolean {
  const until = performance.now() + form;
  let seen = request.socket.bytesRead;
  return () => {
    const { bytesRead } = request.socket;
    const isSlow = bytesRead - seen < paceBytes && request.readableLength === 0;
    seen = bytesRead;
    return isSlow || performance.now() > until;
  };
}

function drainRequest(request: IncomingMessage, { drainMs: rest, drainBytes: restBytes }: RequestTimeouts): void {
  const { socket } = request;
  const until = performance.now() + rest;
  const most = socket.bytesRead + restBytes;
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(timer);
    else if (performance.now() > until || socket.bytesRead > most) socket.destroy();
  }, DRAIN_POLL_MS).unref();
  request.resume();
}
