import { GraphQLScalarType } from 'graphql';
import { GraphQLJSON, GraphQLJSONObject, GraphQLSafeInt } from 'graphql-scalars';
import { AppError } from '../errors.js';
import { parseTimestamp } from '../formats/parse-timestamp.js';

/** Deeper objects and arrays could overflow the stack of recursive functions. */
const MAX_JSON_DEPTH = 64;

export const Json = boundedJson(GraphQLJSON, 'value');

/** A JSON object whose keys the vendor or the customer chooses. */
export const JsonObject = boundedJson(GraphQLJSONObject, 'object');

/** An integer of up to 53 bits. GraphQL's Int has only 32 bits. */
export const SafeInt = new GraphQLScalarType({
  ...GraphQLSafeInt.toConfig(),
  description: 'An integer from -(2^53 - 1) to 2^53 - 1. A double represents each of these integers exactly.',
});

/**
 * Limits the depth of values in REST bodies, forms and GraphQL variables. Literals in a GraphQL document are subject to
 * the limit on document depth instead.
 */
function boundedJson(scalar: GraphQLScalarType, kind: 'value' | 'object'): GraphQLScalarType {
  const { parseValue, ...config } = scalar.toConfig();
  return new GraphQLScalarType({
    ...config,
    description: `Any JSON ${kind}. Input may nest at most ${MAX_JSON_DEPTH} levels.`,
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
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

/** GraphQL parses the variables of a REST request twice, so the value may already be a Date. */
function parseDateTime(value: unknown): Date {
  const time = typeof value === 'string' ? parseTimestamp(value) : value;
  if (time instanceof Date) return time;
  throw new AppError(
    'BAD_REQUEST',
    'A time must be a valid date in ISO 8601 with a time zone, such as 2026-01-31T12:00:00.000Z.',
  );
}

/** `Reader` returns times as ISO strings. Entities contain `Date` objects. */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description:
    'A time in ISO 8601 format. The service returns times in UTC with milliseconds. Times in a request require seconds and a time zone.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (value) => (value instanceof Date ? value.toISOString() : (value as string)),
  parseValue: parseDateTime,
  extensions: { jsonSchema: { type: 'string', format: 'date-time', example: '2026-01-31T12:00:00.000Z' } },
});
