import type { Context, Middleware } from 'koa';
import { AppError } from '../kernel/errors.js';

/** Extracts the host of a target in absolute form, which intermediaries use (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/**
 * Maximum number of parameters in a URL. For each value, Koa rebuilds the list of the parameter's values, so the time
 * of parsing is quadratic in their number.
 */
const MAX_PARAMETERS = 100;

/** Maximum length of the Content-Type header. Libraries need time quadratic in its length to parse it. */
const MAX_CONTENT_TYPE_LENGTH = 200;

/** Rejects requests with ambiguous or malformed framing or URLs, before other middleware reads them. */
export const rejectMalformed: Middleware = (ctx, next) => {
  const fault = findRequestFault(ctx);
  if (fault) throw new AppError('BAD_REQUEST', fault);
  return next();
};

/** Returns the reason to reject the framing, the URL or the Content-Type header of a request. */
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

/** Counts the Host headers. In `rawHeaders`, names and values alternate. */
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
