import { GraphQLError } from 'graphql';

/** Every way in which a request can fail. Clients match on the code; the sentence is for people. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'TOO_MANY_REQUESTS'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL'
  | 'UNAVAILABLE';

/** An expected failure. `message` reaches the client, so it never holds a secret, SQL or a stack. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'AppError';
  }
}

/** SQLSTATE classes (08 connection, 53 resources, 57P shutdown) and socket errors: the database is away. */
const AWAY = /^(08|53|57P)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT)$/;

/**
 * What the client is told about anything thrown. GraphQL's own errors are about the request; a database that is away is
 * UNAVAILABLE; anything unknown is INTERNAL, and its own text stays in the log.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof GraphQLError) {
    const { originalError, message } = thrown;
    const ofRequest = !originalError || originalError instanceof GraphQLError;
    return ofRequest ? new AppError('BAD_REQUEST', message) : toAppError(originalError);
  }
  return isDatabaseAway(thrown)
    ? new AppError('UNAVAILABLE', 'The database cannot be reached; try again shortly.')
    : new AppError('INTERNAL', 'Something went wrong; the log has more under this request id.');
}

/** Pool and driver throw plain errors for a lost or late connection, known by their code or, lacking one, their class. */
function isDatabaseAway(thrown: unknown): boolean {
  const { code } = thrown as { code?: unknown };
  return typeof code === 'string' && AWAY.test(code);
}
