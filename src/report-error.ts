import { DriverException } from '@mikro-orm/core';
import { GraphQLError, Kind } from 'graphql';
import { DatabaseError } from 'pg';
import { toAppError } from './kernel/errors.js';
import type { ReportJobError } from './kernel/jobs.js';
import type { Logger } from './log.js';
import { duckDbFaultOf } from './tables/duckdb.js';

export type ReportError = (thrown: unknown, requestId: string) => void;

/** Logs what a client is not told: the cause of INTERNAL and UNAVAILABLE, without bound values or SQL. */
export function errorReporter(log: Logger): ReportError {
  return (thrown, requestId) => {
    const { code, cause } = toAppError(thrown);
    if (code !== 'INTERNAL' && code !== 'UNAVAILABLE') return;
    log.error({ requestId, code, cause: tellable(cause ?? thrown) }, 'request failed');
  };
}

/** Logs what a job threw, and what the queue itself met, without bound values or SQL. */
export function jobErrorReporter(log: Logger): ReportJobError {
  return (thrown, jobId) => {
    const { code, cause } = toAppError(thrown);
    const what = jobId ? 'job failed' : 'the job queue could not ask its database';
    log.error({ jobId, code, cause: tellable(cause ?? thrown) }, what);
  };
}

/** PostgreSQL, DuckDB and graphql-js quote values ("Key (email)=(…)"), so of theirs the SQLSTATE, the kind and the field are kept. */
function tellable(error: unknown): object {
  const { name, message, stack, code } = error as Error & { code?: string };
  if (error instanceof GraphQLError) return { name, field: fieldOf(error) };
  const fault = duckDbFaultOf(error);
  if (fault !== undefined) return { name, fault: `DuckDB: ${fault}` };
  const isFromDatabase = error instanceof DatabaseError || error instanceof DriverException;
  return { name, code, ...(!isFromDatabase && { message, stack }) };
}

/** Of the schema: a path would name it as the client does. */
function fieldOf({ nodes: [node] = [] }: GraphQLError): string | undefined {
  return node?.kind === Kind.FIELD ? node.name.value : undefined;
}
