import { DriverException } from '@mikro-orm/core';
import { GraphQLError } from 'graphql';
import { DatabaseError } from 'pg';
import { describeRequestFault } from './graphql-request-fault.js';

/**
 * The codes of failed requests. Domains add theirs by declaration merging, next to the code that throws them, so that the table of statuses
 * stays complete and the kernel knows no domain.
 */
export interface ErrorCodes {
  BAD_REQUEST: true;
  UNAUTHENTICATED: true;
  FORBIDDEN: true;
  NOT_FOUND: true;
  METHOD_NOT_ALLOWED: true;
  REQUEST_TIMEOUT: true;
  CONFLICT: true;
  PAYLOAD_TOO_LARGE: true;
  UNSUPPORTED_MEDIA_TYPE: true;
  TOO_MANY_REQUESTS: true;
  HEADERS_TOO_LARGE: true;
  INTERNAL: true;
  UNAVAILABLE: true;
}

/** Clients match on the code; the message is for people. */
export type ErrorCode = keyof ErrorCodes;

/** Seconds after which it makes sense to try again, where the failure itself does not know better. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = { UNAVAILABLE: 5 };

interface AppErrorOptions {
  readonly cause?: unknown;
  /** Whole seconds. */
  readonly retryAfter?: number;
}

/** An expected failure. `message` reaches the client, so it never holds a secret, SQL or a stack. */
export class AppError extends Error {
  override readonly name = 'AppError';

  /** Seconds that the client is asked to wait: the header `Retry-After` over REST, `extensions.retryAfter` over GraphQL. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { retryAfter, ...options }: AppErrorOptions = {},
  ) {
    super(message, options);
    this.retryAfter = retryAfter ?? RETRY_AFTER_SECONDS[code];
  }
}

/** What a GraphQL error says beside its sentence. */
export function toErrorExtensions({ code, retryAfter }: AppError): { code: ErrorCode; retryAfter?: number } {
  return { code, ...(retryAfter !== undefined && { retryAfter }) };
}

/** The database cannot answer for the moment. */
export class DatabaseUnavailable extends AppError {
  constructor(cause: unknown) {
    super('UNAVAILABLE', 'The database cannot be reached; try again shortly.', { cause });
  }
}

/** The database can be read but not written, such as a standby that a failover has not promoted yet. */
export class DatabaseReadOnly extends AppError {
  constructor(cause?: unknown) {
    super('UNAVAILABLE', 'The database is read-only at the moment; try again shortly.', { cause });
  }
}

/** Of what the driver throws: what PostgreSQL says stays as it is; anything else is about a connection that is lost, or not to be had. */
export function toDatabaseError(thrown: unknown): unknown {
  return thrown instanceof DatabaseError ? thrown : new DatabaseUnavailable(thrown);
}

/** SQLSTATEs of a lost race: the row is there already, or what it points at is gone. */
const CONFLICT_STATES = /^235(03|05)$/;

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY_STATE = '25006';

/** SQLSTATE classes: 08 connection, 28 login, 40 rolled back for another's sake, 53 out of resources, 57 shutting down or out of time. */
const UNAVAILABLE_STATES = /^(08|28|40|53|57)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * What the client is told about anything thrown. GraphQL's own errors are about the request, and are told without its
 * values; anything unknown is INTERNAL, and its own text stays in the log.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof GraphQLError) {
    const { originalError } = thrown;
    if (originalError && !(originalError instanceof GraphQLError)) return toAppError(originalError);
    const fault = describeRequestFault(thrown);
    if (fault !== undefined) return new AppError('BAD_REQUEST', fault);
  }
  const { code } = thrown as { code?: unknown };
  const state = typeof code === 'string' && SQLSTATE.test(code) ? code : undefined;
  if (state && CONFLICT_STATES.test(state))
    return new AppError('CONFLICT', 'Somebody else did the same at the same moment.', { cause: thrown });
  if (state === READ_ONLY_STATE) return new DatabaseReadOnly(thrown);
  // What PostgreSQL itself refuses has a state; a driver's error without one is about a connection that is lost or not to be had.
  if (state ? UNAVAILABLE_STATES.test(state) : thrown instanceof DriverException)
    return new DatabaseUnavailable(thrown);
  return new AppError('INTERNAL', 'Something went wrong; the log has more under this request id.', { cause: thrown });
}
