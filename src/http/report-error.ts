import { DriverException } from '@mikro-orm/core';
import { GraphQLError, Kind } from 'graphql';
import { DatabaseError } from 'pg';
import { toAppError } from '../kernel/errors.js';
import type { ReportJobError } from '../kernel/jobs/jobs.js';
import type { Logger } from '../kernel/logger.js';
import { throttlePerMinute } from '../kernel/throttle.js';
import { duckDbErrorKind } from '../tables/duckdb.js';

export type ReportError = (thrown: unknown, requestId: string) => void;

/** Logs INTERNAL and UNAVAILABLE errors with their causes. Clients do not receive the causes. */
export function createErrorReporter(log: Logger): ReportError {
  return (thrown, requestId) => {
    const { code, cause } = toAppError(thrown);
    if (code !== 'INTERNAL' && code !== 'UNAVAILABLE') return;
    log.error({ requestId, code, cause: toLoggableError(cause ?? thrown) }, 'request failed');
  };
}

export function createJobErrorReporter(log: Logger): ReportJobError {
  return (thrown, jobId) => {
    const { code, cause } = toAppError(thrown);
    const what = jobId ? 'job failed' : 'the job queue could not query its database';
    log.error({ jobId, code, cause: toLoggableError(cause ?? thrown) }, what);
  };
}

/** Logs at most one error per minute. The listener reconnects by itself. */
export function createListenErrorReporter(log: Logger): (error: unknown) => void {
  const isDue = throttlePerMinute();
  return (error) => {
    if (isDue()) log.error({ cause: toLoggableError(error) }, 'live updates are interrupted');
  };
}

/**
 * PostgreSQL, DuckDB and graphql-js quote values in their messages ("Key (email)=(…)"). The log contains only the
 * SQLSTATE, kind or field of such an error.
 */
function toLoggableError(error: unknown): object {
  const { name, message, stack, code } = error as Error & { code?: string };
  if (error instanceof GraphQLError) return { name, field: fieldOf(error) };
  const fault = duckDbErrorKind(error);
  if (fault !== undefined) return { name, fault: `DuckDB: ${fault}` };
  const isFromDatabase = error instanceof DatabaseError || error instanceof DriverException;
  return { name, code, ...(!isFromDatabase && { message, stack }) };
}

/** Returns the name in the schema. The path of the error would contain the client's aliases. */
function fieldOf({ nodes: [node] = [] }: GraphQLError): string | undefined {
  return node?.kind === Kind.FIELD ? node.name.value : undefined;
}
