import type { CombinedError } from 'urql';

export interface Failure {
  readonly message: string;
  readonly code: string | undefined;
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined;
}

/** Used if the response has no GraphQL error. */
export const UNREACHABLE = 'The console cannot reach the service. Check your network connection.';

/** Describes only the first GraphQL error. */
export function describeError(error: CombinedError): Failure {
  const [first] = error.graphQLErrors;
  const requestId = (error.response as Response | undefined)?.headers?.get('x-request-id') ?? undefined;
  if (first) return { message: first.message, code: first.extensions.code as string | undefined, requestId };
  return {
    message: UNREACHABLE,
    code: undefined,
    requestId,
  };
}
