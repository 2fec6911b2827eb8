import { secretFieldsOf } from './secret-fields.js';

/** Limit per connection. During a rotation, the previous secrets remain valid in addition to the current secret. */
export const MAX_SENDER_KEYS = 3;

/** The user name of HTTP Basic. It is not a key, because only the password authenticates the delivery. */
export const USERNAME_FIELD = 'username';

/**
 * The token of the `hub.challenge` handshake. It is not a key, because senders send it only in the query of the
 * handshake.
 */
export const VERIFY_TOKEN_FIELD = 'verifyToken';

/** The current key comes first. Public keys are also marked `secret`. */
export function senderKeyFieldsOf(configSchema: Readonly<Record<string, unknown>> | null | undefined): string[] {
  return secretFieldsOf(configSchema).filter((field) => field !== USERNAME_FIELD && field !== VERIFY_TOKEN_FIELD);
}
