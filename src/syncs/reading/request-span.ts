import { recordSpan } from '../../kernel/tracing.js';
import type { RequestTrace } from './request-trace.js';

/** Uses the semantic conventions of OpenTelemetry for HTTP clients. */
export function recordRequestSpan({
  method,
  url,
  status,
  at,
  durationMs,
  attempt,
  bytes,
  errorClass,
}: RequestTrace): void {
  recordSpan(method, {
    attributes: {
      ...{ 'http.request.method': method, 'url.full': url, 'http.response.body.size': bytes },
      ...(status !== undefined && { 'http.response.status_code': status }),
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      ...(errorClass && { 'error.type': errorClass }),
    },
    ...{ startedAt: at, endedAt: new Date(at.getTime() + durationMs), failure: errorClass, isRequest: true },
  });
}
