import type { FailureKind } from './failure-table.js';

/** Values of `extensions.code` in the errors of Apollo Server and of the vendors in the catalog. */
const BY_CODE: Readonly<Record<string, FailureKind>> = {
  UNAUTHENTICATED: 'credential_rejected',
  AUTHENTICATION_ERROR: 'credential_rejected',
  FORBIDDEN: 'forbidden',
  ACCESS_DENIED: 'forbidden',
  THROTTLED: 'rate_limited',
  RATELIMITED: 'rate_limited',
  RATE_LIMITED: 'rate_limited',
  INTERNAL_SERVER_ERROR: 'unavailable',
  INTERNAL_ERROR: 'unavailable',
  SERVICE_UNAVAILABLE: 'unavailable',
  TIMEOUT: 'unavailable',
};

/**
 * A response with `errors` is a failure even if it contains data. In such data, a field that the source could not read
 * is null. This null would overwrite a stored value.
 */
export function graphqlFailureOf(body: unknown): FailureKind | undefined {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors;
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  const kinds = errors.map((error) => {
    const code = error?.extensions?.code;
    return typeof code === 'string' && Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  });
  return kinds.find((kind) => kind !== undefined) ?? 'reported_error';
}
