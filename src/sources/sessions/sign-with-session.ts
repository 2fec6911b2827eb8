import { setHeader } from '../auth-method.js';
import type { Connection } from '../connection.js';
import type { Session } from '../session.js';
import type { SourceRequest } from '../source-request.js';

/** The credential of a method with sessions is missing: somebody has to sign in with the vendor first. */
export class SignInRequiredError extends Error {
  override readonly name = 'SignInRequiredError';

  constructor() {
    super('Somebody has to sign in with the vendor first.');
  }
}

/** Sends what an exchange gave: in the header and behind the prefix that the strategy names, `Authorization: Bearer` by default. */
export function signWithSession(request: SourceRequest, { strategy }: Connection, session: Session | undefined): void {
  if (!session) throw new SignInRequiredError();
  const { bearerConfig, oauth2Config } = strategy;
  const prefix = oauth2Config?.tokenPrefix ?? bearerConfig?.tokenPrefix ?? 'Bearer';
  sendToken(request, { headerName: bearerConfig?.headerName, prefix, token: session.token, field: 'access_token' });
}

export function sendToken(
  request: SourceRequest,
  { headerName, prefix, token, field }: { headerName?: string; prefix: string; token: string; field: string },
): void {
  setHeader(request, headerName ?? 'Authorization', prefix ? `${prefix.trim()} ${token}` : token, field);
}
