import type { IncomingMessage, ServerResponse } from 'node:http';

/** Times are in milliseconds and sizes in bytes. `requestMs` and `formMs` start when the headers have arrived. */
export interface RequestTimeouts {
  /** Limit for the arrival of a whole request. */
  readonly requestMs: number;
  /** Limit for the arrival of a whole form, which may contain a file. */
  readonly formMs: number;
  /** Interval between checks of an arriving form, and the minimum number of bytes per interval. */
  readonly paceIntervalMs: number;
  readonly paceBytes: number;
  /** The rest of a request may arrive after the response, within this time and size. */
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

const DRAIN_POLL_MS = 50;

const FORM = /^multipart\/form-data\b/i;

export function isMultipartForm({ headers }: IncomingMessage): boolean {
  return FORM.test(headers['content-type'] ?? '');
}

/**
 * Limits the time for a request to arrive, whether the app reads it or not. Calls `refuse` on a timeout before the
 * response. After the response, reads and discards the rest of the request. If the server closed the connection
 * immediately, a client that is still sending would receive a reset and lose the response (RFC 9112, section 9.6).
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

/**
 * Returns a function that the server calls once per interval. The function returns whether the form is late. A form is
 * late if it takes too long in total, or if too few bytes arrive in the interval although the buffer is empty. If the
 * buffer contains bytes, the app is slow, not the client.
 */
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
