import { GraphQLScalarType } from 'graphql';
import { GraphQLJSON, GraphQLJSONObject, GraphQLSafeInt } from 'graphql-scalars';
import { AppError } from '../errors.js';
import { parseTimestamp } from '../formats/parse-timestamp.js';

/** Levels of objects and arrays in a JSON value, itself included. What reads a value recursively would run out of stack. */
const MAX_JSON_DEPTH = 64;

/** Any JSON value, where the interface says `any`. */
export const Json = boundedDepth(GraphQLJSON);

/** A JSON object whose keys the vendor or the customer chooses, where the interface says `object`. */
export const JsonObject = boundedDepth(GraphQLJSONObject);

/** A whole number beyond the 32 bits of GraphQL's own, up to 2^53. */
export const SafeInt = GraphQLSafeInt;

/** The bound of values in REST bodies, forms and GraphQL variables. That of literals is the nesting of their document. */
function boundedDepth(scalar: GraphQLScalarType): GraphQLScalarType {
  const { parseValue, ...config } = scalar.toConfig();
  return new GraphQLScalarType({
    ...config,
    parseValue(value) {
      if (isDeeper(value, MAX_JSON_DEPTH))
        throw new AppError('BAD_REQUEST', `A JSON value may nest at most ${MAX_JSON_DEPTH} levels.`);
      return parseValue(value);
    },
  });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** Variables of a REST request are parsed twice, so a time may be one already. */
function parseDateTime(value: unknown): Date {
  const time = typeof value === 'string' ? parseTimestamp(value) : value;
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
