/** Error codes of a token endpoint (RFC 6749, section 5.2). */
const OAUTH_ERROR_CODES = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;
export type OAuthErrorCode = (typeof OAUTH_ERROR_CODES)[number];

/** The source answered an exchange of credentials without a token. */
export class TokenExchangeError extends Error {
  override readonly name = 'TokenExchangeError';
  readonly oauthError?: OAuthErrorCode;
  /** Private, so that no log prints it: sources repeat what they were sent. */
  readonly #body: unknown;

  constructor(
    readonly status: number,
    body: unknown,
    /** Value of the header of this name, where the source sent one. */
    readonly retryAfter?: string,
    /** The reply is HTML, such as a sign-in page. */
    readonly isHtml = false,
  ) {
    super('The source refuses to exchange the credential for a token.');
    this.#body = body;
    const error = (body as { error?: unknown } | null | undefined)?.error;
    this.oauthError = OAUTH_ERROR_CODES.find((code) => code === error);
  }

  /** The reply, parsed; undefined where it is no JSON. To be judged, never to be shown. */
  get body(): unknown {
    return this.#body;
  }
}
