import { setHeader } from '../auth-method.js';
import type { Connection } from '../connection.js';
import type { Session } from '../session.js';
import type { SourceRequest } from '../source-request.js';

/** The call requires a session. Only a user can open the session, by signing in with the vendor. */
export class SignInRequiredError extends Error {
  override readonly name = 'SignInRequiredError';

  constructor() {
    super('Sign in with the vendor first.');
  }
}

/** Throws `SignInRequiredError` without a session. */
export function signWithSession(request: SourceRequest, { strategy }: Connection, session: Session | undefined): void {
  if (!session) throw new SignInRequiredError();
  const { bearerConfig, oauth2Config } = strategy;
  const prefix = oauth2Config?.tokenPrefix ?? bearerConfig?.tokenPrefix ?? 'Bearer';
  sendToken(request, { headerName: bearerConfig?.headerName, prefix, token: session.token, field: 'access_token' });
}

/** A space separates the prefix from the token, unless the prefix ends with `=`, as in `Token token=`. */
export function sendToken(
  request: SourceRequest,
  { headerName, prefix, token, field }: { headerName?: string; prefix: string; token: string; field: string },
): void {
  setHeader(request, headerName ?? 'Authorization', withPrefix(prefix.trim(), token), field);
}

function withPrefix(prefix: string, token: string): string {
  return prefix === '' || prefix.endsWith('=') ? `${prefix}${token}` : `${prefix} ${token}`;
}
