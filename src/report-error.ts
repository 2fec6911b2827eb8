import { DriverException } from '@mikro-orm/core';
import { DatabaseError } from 'pg';
import { toAppError } from './kernel/errors.js';
import type { Logger } from './log.js';

export type ReportError = (thrown: unknown, requestId: string) => void;

/** Logs what a client is not told: the cause of INTERNAL and UNAVAILABLE, without bound values or SQL. */
export function errorReporter(log: Logger): ReportError {
  return (thrown, requestId) => {
    const { code, cause } = toAppError(thrown);
    if (code !== 'INTERNAL' && code !== 'UNAVAILABLE') return;
    const { name, message, stack, code: causeCode } = (cause ?? thrown) as Error & { code?: string };
    // PostgreSQL's messages quote values ("Key (email)=(…)"), so of those only the SQLSTATE is kept.
    const isFromDatabase = cause instanceof DatabaseError || cause instanceof DriverException;
    const told = isFromDatabase ? {} : { message, stack };
    log.error({ requestId, code, cause: { name, code: causeCode, ...told } }, 'request failed');
  };
}
