/** RFC 6749, section 5.2. */
const OAUTH_ERROR_CODES = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;
export type OAuthErrorCode = (typeof OAUTH_ERROR_CODES)[number];

/** The response of a token exchange contains no token. */
export class TokenExchangeError extends Error {
  override readonly name = 'TokenExchangeError';
  readonly oauthError?: OAuthErrorCode;
  /** Private, so that loggers omit the body. A source may echo secrets in the body. */
  readonly #body: unknown;

  constructor(
    readonly status: number,
    body: unknown,
    /** Value of the `Retry-After` header. */
    readonly retryAfter?: string,
    readonly isHtml = false,
  ) {
    super('The source did not return a token.');
    this.#body = body;
    const error = (body as { error?: unknown } | null | undefined)?.error;
    this.oauthError = OAUTH_ERROR_CODES.find((code) => code === error);
  }

  /** Undefined if the body is not JSON. Only for classification, because the body may contain secrets. */
  get body(): unknown {
    return this.#body;
  }
}
