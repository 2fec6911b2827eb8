import {
  coerceInputValue,
  type GraphQLInputType,
  getNullableType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import type { Context } from 'koa';
import type { ErrorCode } from '../src/kernel/errors.js';
import { FacadeError, isCodedError } from './errors.js';
import { readBodyFields } from './json-body.js';
import type { Operation } from './operations.js';
import { quoteName } from './quote-name.js';
import { hasBody, type Route } from './routes/route.js';

type Variables = Record<string, unknown>;

const FROM_TEXT: Record<string, (text: string) => unknown> = {
  Int: (text) => (/^-?\d{1,10}$/.test(text) ? Number(text) : text),
  Float: (text) => (text.trim() === '' ? text : Number(text)),
  Boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/**
 * Reads the variables from the path, and from the query or the body, depending on the method. Throws `FacadeError` for
 * a variable that is unknown, missing, repeated or of the wrong type. Messages never contain the value of the variable.
 */
export async function readVariables(ctx: Context, route: Route, operation: Operation): Promise<Variables> {
  if (!hasBody(route)) return coerceVariables(ctx, operation, []);
  rejectQuery(ctx);
  return coerceVariables(ctx, operation, Object.entries(await readBodyFields(ctx.req)));
}

export function rejectQuery(ctx: Context): void {
  const [unwanted] = Object.keys(ctx.query);
  if (unwanted !== undefined) throw unknownName(unwanted);
}

/** Like `readVariables`, for `fields` of a body that was read before. `code` is the error code for all variables. */
export function coerceVariables(
  ctx: Context,
  operation: Operation,
  fields: readonly (readonly [name: string, value: unknown])[],
  code: ErrorCode = 'BAD_REQUEST',
): Variables {
  const texts = [...Object.entries(ctx.params as Record<string, string>), ...Object.entries(ctx.query)];
  const given = [
    ...texts.map(([name, text]) => [name, text, fromText] as const),
    ...fields.map(([name, value]) => [name, value, asIs] as const),
  ];

  const variables = new Map<string, unknown>();
  for (const [name, value, convert] of given) {
    const type = operation.variables.get(name);
    if (!type) throw unknownName(name, code);
    if (variables.has(name) || (convert === fromText && typeof value !== 'string'))
      throw new FacadeError(code, `${name} is given more than once.`);
    variables.set(name, coerce(name, convert(value, type), type, code));
  }
  for (const [name, type] of operation.variables)
    if (isNonNullType(type) && !variables.has(name)) throw new FacadeError(code, `${name} is missing.`);
  // The names are in the order of the operation, so that equivalent requests have equal variables.
  const names = [...operation.variables.keys()].filter((name) => variables.has(name));
  return Object.fromEntries(names.map((name) => [name, variables.get(name)]));
}

function fromText(text: unknown, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  const convert = isScalarType(nullable) ? FROM_TEXT[nullable.name] : undefined;
  return convert ? convert(text as string) : text;
}

function asIs(value: unknown): unknown {
  return value;
}

function coerce(name: string, value: unknown, type: GraphQLInputType, code: ErrorCode): unknown {
  // GraphQL would accept a single item instead of a list, but the OpenAPI document does not allow this.
  if (isListType(getNullableType(type)) && value !== null && !Array.isArray(value))
    throw new FacadeError(code, `${name} is not a valid ${String(getNullableType(type))}.`);
  return coerceInputValue(value, type, (path, _value, { originalError }) => {
    const place = [name, ...path].join('.');
    if (isCodedError(originalError)) throw new FacadeError(code, `${place} is invalid: ${originalError.message}`);
    throw new FacadeError(code, `${place} is not a valid ${String(getNullableType(type))}.`);
  });
}

function unknownName(name: string, code: ErrorCode = 'BAD_REQUEST'): FacadeError {
  return new FacadeError(code, `${quoteName(name)} is not a parameter of this URL.`);
}
