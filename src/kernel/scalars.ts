import { GraphQLScalarType } from 'graphql';
import { GraphQLJSON, GraphQLJSONObject, GraphQLSafeInt } from 'graphql-scalars';
import { AppError } from './errors.js';
import { readInstant } from './read-instant.js';

/** Any JSON value, where the interface says `any`. */
export const Json = GraphQLJSON;

/** A JSON object whose keys the vendor or the customer chooses, where the interface says `object`. */
export const JsonObject = GraphQLJSONObject;

/** A whole number beyond the 32 bits of GraphQL's own, up to 2^53. */
export const SafeInt = GraphQLSafeInt;

/** Variables of a REST request are parsed twice, so a time may be one already. */
function parseDateTime(value: unknown): Date {
  const time = typeof value === 'string' ? readInstant(value) : value;
  if (time instanceof Date) return time;
  throw new AppError(
    'BAD_REQUEST',
    'A time is an ISO 8601 text with a zone such as 2026-01-31T12:00:00.000Z, of a day that exists.',
  );
}

/** Rows read by the reading module carry times as ISO strings already; entities carry `Date`. */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A time in ISO 8601: given in UTC with milliseconds, taken with seconds and any zone.',
  serialize: (value) => (value instanceof Date ? value.toISOString() : (value as string)),
  parseValue: parseDateTime,
  extensions: { jsonSchema: { type: 'string', format: 'date-time', example: '2026-01-31T12:00:00.000Z' } },
});
