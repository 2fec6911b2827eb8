import type { CombinedError } from 'urql';

export interface Failure {
  readonly message: string;
  readonly code: string | undefined;
  /** The id under which the service logged the request. */
  readonly requestId: string | undefined;
}

/** The first error of a response, with the message of the service. */
export function describeError(error: CombinedError): Failure {
  const [first] = error.graphQLErrors;
  const requestId = (error.response as Response | undefined)?.headers?.get('x-request-id') ?? undefined;
  if (first) return { message: first.message, code: first.extensions.code as string | undefined, requestId };
  return { message: 'The service cannot be reached. Check your connection.', code: undefined, requestId };
}
