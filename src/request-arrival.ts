import type { IncomingMessage, ServerResponse } from 'node:http';

/** In milliseconds and bytes, counted from where the headers end. */
export interface ArrivalLimits {
  /** For a request to arrive as a whole. */
  readonly whole: number;
  /** The same for a form, which may bring a file. */
  readonly form: number;
  /** How often a form is looked at, and what it has to have brought since then. */
  readonly paceInterval: number;
  readonly paceBytes: number;
  /** For the rest of a request that has its reply already. */
  readonly rest: number;
  readonly restBytes: number;
}

export const ARRIVAL_LIMITS: ArrivalLimits = {
  whole: 60_000,
  form: 60 * 60_000,
  paceInterval: 30_000,
  paceBytes: 256 * 1024,
  rest: 10_000,
  restBytes: 256 * 1024 * 1024,
};

/** How often, in milliseconds, the rest of a request is measured. */
const REST_INTERVAL = 50;

const FORM = /^multipart\/form-data\b/i;

export function isForm({ headers }: IncomingMessage): boolean {
  return FORM.test(headers['content-type'] ?? '');
}

/**
 * Has a request arrive in time, whether or not anybody reads it: `refuse` is called where it does not and has no reply yet. Where it has one,
 * what still arrives is thrown away for a while before the connection is closed: a client that is sending would get a reset and never see the
 * reply (RFC 9112, section 9.6).
 */
export function watchArrival(
  request: IncomingMessage,
  response: ServerResponse,
  limits: ArrivalLimits,
  refuse: () => void,
): void {
  const { headers, socket } = request;
  if (!headers['transfer-encoding'] && !Number(headers['content-length'])) return;
  const isLate = isForm(request) ? formClock(request, limits) : () => true;
  const timer = setInterval(
    () => {
      if (request.complete || response.headersSent || !isLate()) return;
      clearInterval(timer);
      refuse();
    },
    isForm(request) ? limits.paceInterval : limits.whole,
  ).unref();
  request.once('end', () => clearInterval(timer));
  response.once('close', () => {
    clearInterval(timer);
    if (!request.complete && !socket.destroyed) passRest(request, limits);
  });
}

/** Asked once an interval. Of what waits to be read it is not the client who is late. */
function formClock(request: IncomingMessage, { form, paceBytes }: ArrivalLimits): () => boolean {
  const until = performance.now() + form;
  let seen = request.socket.bytesRead;
  return () => {
    const { bytesRead } = request.socket;
    const isSlow = bytesRead - seen < paceBytes && request.readableLength === 0;
    seen = bytesRead;
    return isSlow || performance.now() > until;
  };
}

function passRest(request: IncomingMessage, { rest, restBytes }: ArrivalLimits): void {
  const { socket } = request;
  const until = performance.now() + rest;
  const most = socket.bytesRead + restBytes;
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(timer);
    else if (performance.now() > until || socket.bytesRead > most) socket.destroy();
  }, REST_INTERVAL).unref();
  request.resume();
}
