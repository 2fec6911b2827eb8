import type { Context } from 'koa';
import type { ErrorCode } from '../src/kernel/errors.js';

/** The only mapping from error codes to HTTP statuses. */
export const STATUS_BY_CODE = {
  BAD_REQUEST: 400,
  WORKSPACE_REQUIRED: 400,
  OAUTH_STATE_INVALID: 400,
  OAUTH_REFUSED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  WORKSPACE_FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  ARTIFACT_HAS_TAP: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  'WA-AF-001': 422,
  'WA-AF-002': 422,
  'WA-AF-003': 422,
  'WA-AF-004': 422,
  'WA-AF-005': 422,
  'WA-AF-006': 422,
  'WA-AF-007': 422,
  'WA-AF-008': 422,
  'WA-AF-009': 422,
  'WA-AF-010': 422,
  'WA-AF-011': 422,
  'WA-AF-012': 413,
  'WA-AF-013': 415,
  'WA-AF-014': 422,
  'WA-AF-015': 422,
  'WA-AF-023': 422,
  'WA-AF-025': 422,
  'WA-AF-029': 422,
  'WA-AF-031': 422,
  TOO_MANY_REQUESTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  STORAGE_QUOTA_EXCEEDED: 507, // Status 507 follows RFC 4331, section 6.
} as const satisfies Record<ErrorCode, number>;

interface CodedError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Seconds that the client should wait before a retry. */
  readonly retryAfter?: number | undefined;
}

export class FacadeError extends Error implements CodedError {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** Returns whether an error of the service has a code and a message for the client. */
export function isCodedError(error: unknown): error is Error & CodedError {
  return error instanceof Error && 'code' in error && Object.hasOwn(STATUS_BY_CODE, String(error.code));
}

export function errorBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ error: `${code}: ${message}` });
}

export function sendError(ctx: Context, { code, message, retryAfter }: CodedError): void {
  ctx.status = STATUS_BY_CODE[code];
  ctx.set('X-Error-Code', code);
  ctx.set('Cache-Control', 'no-store');
  // The error attribute is only for requests that contain a token (RFC 6750, section 3.1).
  const scheme = /^bearer /i.test(ctx.headers.authorization ?? '') ? 'Bearer error="invalid_token"' : 'Bearer';
  if (code === 'UNAUTHENTICATED') ctx.set('WWW-Authenticate', scheme);
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  ctx.type = 'application/json';
  ctx.body = errorBody(code, message);
}
