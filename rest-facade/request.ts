import { coerceInputValue, type GraphQLInputType, getNullableType, isScalarType } from 'graphql';
import type { Context } from 'koa';
import { Refusal } from './errors.js';
import type { Operation } from './operations.js';

type Variables = Record<string, unknown>;

const FROM_TEXT: Record<string, (text: string) => unknown> = {
  Int: (text) => (/^-?\d{1,10}$/.test(text) ? Number(text) : text),
  Float: (text) => (text.trim() === '' ? text : Number(text)),
  Boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** The operation's variables from path and query. A name that is unknown, repeated or of another type is refused. */
export function readVariables(ctx: Context, params: Readonly<Record<string, string>>, operation: Operation): Variables {
  const variables: Variables = {};
  for (const [name, value] of [...Object.entries(params), ...Object.entries(ctx.query)]) {
    const type = operation.variables.get(name);
    if (!type) throw new Refusal('BAD_REQUEST', `${printable(name)} is not a parameter of this address.`);
    if (typeof value !== 'string' || name in variables)
      throw new Refusal('BAD_REQUEST', `${name} is given more than once.`);
    variables[name] = coerce(name, value, type);
  }
  return variables;
}

function coerce(name: string, text: string, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  const convert = isScalarType(nullable) ? FROM_TEXT[nullable.name] : undefined;
  return coerceInputValue(convert ? convert(text) : text, type, () => {
    throw new Refusal('BAD_REQUEST', `${name} is not a valid ${String(nullable)}.`);
  });
}

/** A name that the client made up, cut and cleaned before it goes back. */
function printable(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
