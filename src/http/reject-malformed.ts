import type { Context, Middleware } from 'koa';
import { AppError } from '../kernel/errors.js';

/** Host of a URL in absolute form, which proxies may send (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** Koa parses parameters in quadratic time, because it rebuilds the list of a parameter's values for each value. */
const MAX_PARAMETERS = 100;

/** Libraries parse this header in quadratic time. */
const MAX_CONTENT_TYPE_LENGTH = 200;

/** Rejects ambiguous or malformed requests before other middleware reads them. */
export const rejectMalformed: Middleware = (ctx, next) => {
  const fault = findRequestFault(ctx);
  if (fault) throw new AppError('BAD_REQUEST', fault);
  return next();
};

export function findRequestFault(ctx: Context): string | undefined {
  const { rawHeaders, headers, url = '', httpVersion } = ctx.req;
  const { host = '' } = headers;
  if (!host && httpVersion !== '1.0') return 'The Host header is missing or empty.';
  if (countHosts(rawHeaders) > 1) return 'The Host header is given more than once.';
  const [, authority] = (!url.startsWith('/') && ABSOLUTE_FORM.exec(url)) || [];
  if (authority !== undefined && authority !== host) return 'The host in the URL differs from the Host header.';
  // Node accepts any list that ends in `chunked`, but does not decode the other codings (RFC 9112, section 6.1).
  const transferEncoding = headers['transfer-encoding'];
  if (transferEncoding !== undefined && transferEncoding.trim().toLowerCase() !== 'chunked')
    return 'Transfer-Encoding must be chunked without other codings.';
  if ((headers['content-type'] ?? '').length > MAX_CONTENT_TYPE_LENGTH)
    return `The Content-Type header has more than the maximum of ${MAX_CONTENT_TYPE_LENGTH} characters.`;
  return url.includes('&') || url.includes('%') ? urlFaultOf(ctx) : undefined;
}

/** In `rawHeaders`, names and values alternate. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

function urlFaultOf({ path, search, querystring }: Context): string | undefined {
  if (querystring.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    return `The URL has more than ${MAX_PARAMETERS} parameters.`;
  try {
    decodeURIComponent(path + search);
  } catch {
    return 'The URL is not percent-encoded UTF-8.';
  }
  return undefined;
}
