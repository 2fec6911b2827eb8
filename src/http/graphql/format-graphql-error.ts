import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { locationsOf } from '../../kernel/document-locations.js';
import { toAppError, toErrorExtensions } from '../../kernel/errors.js';

/** Returns the error for the client, without values of the request. */
export function formatGraphqlError(error: unknown, path?: readonly (string | number)[]): GraphQLFormattedError {
  const failure = toAppError(error);
  const locations = error instanceof GraphQLError ? locationsOf(error) : undefined;
  const where = { ...(locations && { locations }), ...(path && { path }) };
  return { message: failure.message, ...where, extensions: { ...toErrorExtensions(failure) } };
}
