import { secretFieldsOf } from './secret-fields.js';

/**
 * Maximum number of verification secrets of one connection: the current secret and, during rotation, previous secrets.
 */
export const MAX_SENDER_KEYS = 3;

/** Not a key: the password authenticates the delivery. */
export const USERNAME_FIELD = 'username';

/** Not a key: senders put it only into the query of the `hub.challenge` handshake. */
export const VERIFY_TOKEN_FIELD = 'verifyToken';

/**
 * Config fields with the keys that verify deliveries, the current key first. Public keys are also marked `secret`.
 */
export function senderKeyFieldsOf(configSchema: Readonly<Record<string, unknown>> | null | undefined): string[] {
  return secretFieldsOf(configSchema).filter((field) => field !== USERNAME_FIELD && field !== VERIFY_TOKEN_FIELD);
}
