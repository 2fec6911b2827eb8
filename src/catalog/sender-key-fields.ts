import { secretFieldsOf } from './secret-fields.js';

/** Live secrets of one connection: the current one, and those that it replaces. */
export const MAX_SENDER_KEYS = 3;

/** Proves nothing about a delivery: it goes with a password. */
export const USERNAME_FIELD = 'username';

/** Proves nothing about a delivery either: senders show it in an address, when they ask with `hub.challenge`. */
export const VERIFY_TOKEN_FIELD = 'verifyToken';

/** Fields of an inbound strategy's config that deliveries are verified with, the current one first: public keys are marked `secret` too. */
export function senderKeyFieldsOf(configSchema: Readonly<Record<string, unknown>> | null | undefined): string[] {
  return secretFieldsOf(configSchema).filter((field) => field !== USERNAME_FIELD && field !== VERIFY_TOKEN_FIELD);
}
