import { DriverException } from '@mikro-orm/core';
import { GraphQLError } from 'graphql';
import { DatabaseError } from 'pg';
import { describeRequestFault } from './graphql-request-fault.js';

/**
 * Each domain adds its error codes by declaration merging, next to the functions that throw them. TypeScript can
 * therefore check that every code has a status, and the kernel depends on no domain.
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

/** Clients match on the code. The message is for people. */
export type ErrorCode = keyof ErrorCodes;

const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = { UNAVAILABLE: 5 };

interface AppErrorOptions {
  readonly cause?: unknown;
  /** Whole seconds until the client should retry. */
  readonly retryAfter?: number;
}

/** An expected failure. The client receives `message`, so it must not contain a secret, SQL or a stack trace. */
export class AppError extends Error {
  override readonly name = 'AppError';

  /** Whole seconds. REST sends the header `Retry-After`, and GraphQL sends `extensions.retryAfter`. */
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

/** `limit` describes the exceeded limit, such as `600 requests per minute`. `retryAfter` is in whole seconds. */
export function rateLimitError(limit: string, retryAfter: number): AppError {
  return new AppError('TOO_MANY_REQUESTS', `The limit is ${limit}. Try again in ${retryAfter} s.`, { retryAfter });
}

export function toErrorExtensions({ code, retryAfter }: AppError): { code: ErrorCode; retryAfter?: number } {
  return { code, ...(retryAfter !== undefined && { retryAfter }) };
}

export class DatabaseUnavailable extends AppError {
  constructor(cause: unknown) {
    super('UNAVAILABLE', 'The database is unavailable. Try again shortly.', { cause });
  }
}

/** For example, the database is a standby that a failover has not promoted yet. */
export class DatabaseReadOnly extends AppError {
  constructor(cause?: unknown) {
    super('UNAVAILABLE', 'The database is read-only at the moment. Try again shortly.', { cause });
  }
}

/**
 * Returns PostgreSQL errors unchanged. Any other driver error means that the connection was lost or refused, and
 * becomes `DatabaseUnavailable`.
 */
export function toDatabaseError(thrown: unknown): unknown {
  return thrown instanceof DatabaseError ? thrown : new DatabaseUnavailable(thrown);
}

/** Conflicts with concurrent changes: unique_violation and foreign_key_violation. */
const CONFLICT_STATES = /^235(03|05)$/;

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY_STATE = '25006';

/**
 * SQLSTATE classes: 08 connection, 0A statement prepared before a migration, 28 authentication, 40 transaction
 * rollback, 53 insufficient resources, 57 operator intervention.
 */
const UNAVAILABLE_STATES = /^(08|0A|28|40|53|57)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Returns the error that the client receives. Errors of graphql-js about an invalid request become BAD_REQUEST, without
 * values of the request. Errors of the database become CONFLICT after a concurrent change, and UNAVAILABLE if the
 * database is unreachable, overloaded or read-only. Other errors become INTERNAL without their message.
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
    return new AppError('CONFLICT', 'The request conflicts with a concurrent change. Try again.', { cause: thrown });
  if (state === READ_ONLY_STATE) return new DatabaseReadOnly(thrown);
  if (state ? UNAVAILABLE_STATES.test(state) : thrown instanceof DriverException)
    return new DatabaseUnavailable(thrown);
  return new AppError(
    'INTERNAL',
    'An internal error occurred. The log of the service contains the error and the id of this request.',
    { cause: thrown },
  );
}
