import type { AdmitCached } from '../../rest-facade/known-requests.js';
import { commonHeaders } from './common-headers.js';
import { corsHeaders } from './cors.js';
import { findRequestFault } from './reject-malformed.js';
import type { RequestAdmission } from './request-admission.js';

/**
 * Checks and counts a request for a cached response, because such a response bypasses the middleware. Returns undefined
 * for a rejected request. The middleware then sends the error, and may count the request again. Counts above the limit
 * have no effect.
 */
export function createCachedAdmission(admission: RequestAdmission, corsOrigins: readonly string[]): AdmitCached {
  return (ctx) => {
    if (findRequestFault(ctx)) return undefined;
    const headers = commonHeaders(ctx, corsHeaders(corsOrigins, ctx.req.headers.origin));
    return (
      admission.countAnonymous(ctx)?.then(
        () => headers,
        () => undefined,
      ) ?? headers
    );
  };
}
