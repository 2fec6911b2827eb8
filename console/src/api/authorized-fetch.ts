import { type Session, SessionEnded } from '../session/session.js';

/** `fetch` with the access token of a session. Calls `onEnd` if the user must sign in again. */
export function createAuthorizedFetch(session: Session, workspace: string, onEnd: () => void): typeof fetch {
  return async (input, init) => {
    const send = (token: string): Promise<Response> => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      headers.set('x-tenant', workspace);
      return fetch(input, { ...init, headers });
    };
    try {
      const token = await session.token();
      const response = await send(token);
      if (response.status !== 401) return response;
      const renewed = await send(await session.token(token));
      if (renewed.status === 401) onEnd();
      return renewed;
    } catch (error) {
      if (error instanceof SessionEnded) onEnd();
      throw error;
    }
  };
}
