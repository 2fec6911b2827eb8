import type { Context, Middleware } from 'koa';
import { AppError } from '../kernel/errors.js';

/** The host in a target in absolute form, which others on the way go by (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** Koa collects the values of each parameter anew, so the time to parse a query grows with the square of their number. */
const MAX_PARAMETERS = 100;

/** Media types that libraries parse take time that grows with the square of their length. */
const MAX_CONTENT_TYPE_LENGTH = 200;

/** Rejects requests whose framing or address is ambiguous or malformed, before anything else reads them. */
export const rejectMalformed: Middleware = (ctx, next) => {
  const fault = faultOf(ctx);
  if (fault) throw new AppError('BAD_REQUEST', fault);
  return next();
};

function faultOf(ctx: Context): string | undefined {
  const { rawHeaders, headers, url = '', httpVersion } = ctx.req;
  if (!ctx.get('Host') && httpVersion !== '1.0') return 'The Host header is missing.';
  if (rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1)
    return 'The Host header is given more than once.';
  const [, authority] = ABSOLUTE_FORM.exec(url) ?? [];
  if (authority !== undefined && authority !== ctx.get('Host'))
    return 'The address names another host than the Host header.';
  // RFC 9112, section 6.1. Node takes any list that ends in chunked, and leaves the other codings in the body.
  const transferEncoding = headers['transfer-encoding'];
  if (transferEncoding !== undefined && transferEncoding.trim().toLowerCase() !== 'chunked')
    return 'Transfer-Encoding must be chunked, without other codings.';
  if (ctx.get('Content-Type').length > MAX_CONTENT_TYPE_LENGTH)
    return `The Content-Type header exceeds ${MAX_CONTENT_TYPE_LENGTH} characters.`;
  if (ctx.querystring.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    return `The address has more than ${MAX_PARAMETERS} parameters.`;
  try {
    decodeURIComponent(ctx.path + ctx.search);
  } catch {
    return 'The address is not percent-encoded UTF-8.';
  }
  return undefined;
}
