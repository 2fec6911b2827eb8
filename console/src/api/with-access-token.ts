import { type Session, SessionEnded } from '../session/session.js';

/**
 * If the service rejects the access token, sends the request again with a renewed token. Calls `onEnd` if the user must
 * sign in again.
 */
export async function withAccessToken<Reply extends { readonly status: number }>(
  session: Session,
  onEnd: () => void,
  send: (token: string) => Promise<Reply>,
): Promise<Reply> {
  try {
    const token = await session.token();
    const reply = await send(token);
    if (reply.status !== 401) return reply;
    const renewed = await send(await session.token(token));
    if (renewed.status === 401) onEnd();
    return renewed;
  } catch (error) {
    if (error instanceof SessionEnded) onEnd();
    throw error;
  }
}
