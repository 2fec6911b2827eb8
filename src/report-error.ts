import { GraphQLError } from 'graphql';
import { toAppError } from './kernel/errors.js';
import type { Logger } from './log.js';

export type ReportError = (thrown: unknown, requestId: string) => void;

/** Logs what a client is not told: the cause of INTERNAL and UNAVAILABLE, without bound values or SQL. */
export function errorReporter(log: Logger): ReportError {
  return (thrown, requestId) => {
    const { code } = toAppError(thrown);
    if (code !== 'INTERNAL' && code !== 'UNAVAILABLE') return;
    const cause = thrown instanceof GraphQLError ? (thrown.originalError ?? thrown) : thrown;
    const { name, message, stack, code: causeCode } = cause as Error & { code?: string };
    const fromDatabase = typeof causeCode === 'string' && /^[0-9A-Z]{5}$/.test(causeCode);
    // PostgreSQL's messages quote values ("Key (email)=(…)"), so of those only the SQLSTATE is kept.
    log.error(
      { requestId, code, cause: { name, code: causeCode, ...(!fromDatabase && { message, stack }) } },
      'request failed',
    );
  };
}
