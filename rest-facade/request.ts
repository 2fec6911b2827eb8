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
  const given = new Map<string, unknown>();
  for (const [name, value] of [...Object.entries(params), ...Object.entries(ctx.query)]) {
    const type = operation.variables.get(name);
    if (!type) throw new Refusal('BAD_REQUEST', `${printable(name)} is not a parameter of this address.`);
    if (typeof value !== 'string' || given.has(name))
      throw new Refusal('BAD_REQUEST', `${name} is given more than once.`);
    given.set(name, coerce(name, value, type));
  }
  // In the order of the operation, whatever that of the query: what means the same is the same.
  const names = [...operation.variables.keys()].filter((name) => given.has(name));
  return Object.fromEntries(names.map((name) => [name, given.get(name)]));
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
