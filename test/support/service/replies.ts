import { expect } from 'vitest';
import type { Reply } from './service.js';

export const ID = expect.stringMatching(/^[0-9A-Za-z]{22}$/);
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const AUDIT_FIELDS = { createdAt: TIME, createdBy: ID, updatedAt: TIME, updatedBy: ID };

/** Null if the request succeeded. */
export function errorCodeOf({ headers }: Reply): string | null {
  return headers.get('x-error-code');
}

export function statusAndErrorCode(reply: Reply): [status: number, code: string | null] {
  return [reply.status, errorCodeOf(reply)];
}

export function isReplay({ headers }: Reply): boolean {
  return headers.get('idempotency-replayed') === 'true';
}

/** Returns all parts of a response that could distinguish it from another response. */
export function comparableReply({ status, headers, text }: Reply): object {
  const compared = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, text, headers: Object.fromEntries(compared) };
}

/** An object of another workspace must be indistinguishable from a missing object. */
export function expectSameNotFound(replies: readonly Reply[]): void {
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
}
