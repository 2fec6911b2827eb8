import { BigIntType, type PropertyOptions } from '@mikro-orm/core';
import { Enum, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, SafeInt } from './scalars.js';

/**
 * One decorator says what a column is to the database, to GraphQL and, through GraphQL, to OpenAPI: its type,
 * whether it may be missing, and its description. A column that is no field is a plain `@Property`.
 */
type ReturnType = Parameters<typeof Field>[0] & ((...args: never[]) => unknown);
type Options = { nullable?: true; unique?: true };

function column(type: ReturnType, description: string, property: PropertyOptions<object>, options: Options = {}) {
  const field = Field(type, { description, nullable: options.nullable ?? false });
  const persisted = Property({ ...property, ...options });
  return (target: object, key: string): void => {
    field(target, key);
    persisted(target as never, key);
  };
}

export const TextColumn = (description: string, options?: Options) =>
  column(() => String, description, { type: 'text' }, options);

export const IntColumn = (description: string, options?: Options) =>
  column(() => Int, description, { type: 'integer' }, options);

/** A number of bytes: more than 32 bits hold. */
export const ByteCountColumn = (description: string, options?: Options) =>
  column(() => SafeInt, description, { type: new BigIntType('number') }, options);

export const BooleanColumn = (description: string, options?: Options) =>
  column(() => Boolean, description, { type: 'boolean' }, options);

export const DateTimeColumn = (description: string, options?: Options) =>
  column(() => DateTime, description, { type: 'datetime', length: 3 }, options);

/**
 * A structured value. The column is `json`, not `jsonb`: it keeps the order of keys, which setup forms rely on, and
 * nothing searches inside it.
 */
export const JsonColumn = (type: ReturnType, description: string, options?: Options) =>
  column(type, description, { type: 'json', columnType: 'json' }, options);

export function EnumColumn(values: Record<string, string>, description: string, options: Options = {}) {
  const field = Field(() => values as never, { description, nullable: options.nullable ?? false });
  const persisted = Enum({ items: Object.keys(values), type: 'text', ...options });
  return (target: object, key: string): void => {
    field(target, key);
    persisted(target as never, key);
  };
}

/** An object type whose fields are read straight off the row or the JSON value. */
export const PlainObjectType = (description: string) => ObjectType({ description, simpleResolvers: true });

/** A field of a JSON object that is always there. */
export const RequiredField = (description: string, type?: ReturnType) =>
  type ? Field(type, { description }) : Field({ description });

/** A field of a JSON object that may be missing. */
export const OptionalField = (description: string, type?: ReturnType) =>
  type ? Field(type, { description, nullable: true }) : Field({ description, nullable: true });
