import type { Session } from '../session/session.js';
import { withAccessToken } from './with-access-token.js';

/** Calls `onEnd` if the user must sign in again. */
export function createAuthorizedFetch(session: Session, workspace: string, onEnd: () => void): typeof fetch {
  return (input, init) =>
    withAccessToken(session, onEnd, (token) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      headers.set('x-tenant', workspace);
      return fetch(input, { ...init, headers });
    });
}
