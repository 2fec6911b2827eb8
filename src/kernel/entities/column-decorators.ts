import { BigIntType, type PropertyOptions } from '@mikro-orm/core';
import { Enum, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Field, Int, ObjectType } from 'type-graphql';
import { DateTime, SafeInt } from './scalars.js';

/**
 * One decorator declares the type, nullability and description of a column for the database, GraphQL and, through
 * GraphQL, OpenAPI. A column without a GraphQL field is a plain `@Property`.
 */
type ReturnType = Parameters<typeof Field>[0] & ((...args: never[]) => unknown);
type Options = { nullable?: true; unique?: true; default?: string | number | false };

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

/** A number of bytes, which may exceed 32 bits. */
export const ByteCountColumn = (description: string, options?: Options) =>
  column(() => SafeInt, description, { type: new BigIntType('number') }, options);

export const BooleanColumn = (description: string, options?: Options) =>
  column(() => Boolean, description, { type: 'boolean' }, options);

export const DateTimeColumn = (description: string, options?: Options) =>
  column(() => DateTime, description, { type: 'datetime', length: 3 }, options);

/**
 * The column is `json`, not `jsonb`, because setup forms rely on the order of keys. No query searches inside the value.
 */
export const JsonColumn = (type: ReturnType, description: string, options?: Options) =>
  column(type, description, { type: 'json', columnType: 'json' }, options);

/**
 * The stored text has exactly the fields of `type`, and no nulls. Every write validates the text. A REST response
 * that contains all fields of the type therefore copies the text. A migration must rewrite the stored rows if it
 * removes or renames a field of the type, or adds a required field. A reload of the catalog is not sufficient, because
 * it does not write vendors whose definition was removed.
 */
export const ExactJsonColumn = (type: ReturnType, description: string, options?: Options) => {
  const declare = JsonColumn(type, description, options);
  const mark = Extensions({ isExact: true });
  return (target: object, key: string): void => {
    declare(target, key);
    mark(target, key);
  };
};

export function EnumColumn(values: Record<string, string>, description: string, options: Options = {}) {
  const field = Field(() => values as never, { description, nullable: options.nullable ?? false });
  const persisted = Enum({ items: Object.keys(values), type: 'text', ...options });
  return (target: object, key: string): void => {
    field(target, key);
    persisted(target as never, key);
  };
}

/** An object type whose fields are properties of the row or JSON value. */
export const PlainObjectType = (description: string) => ObjectType({ description, simpleResolvers: true });

export const RequiredField = (description: string, type?: ReturnType) =>
  type ? Field(type, { description }) : Field({ description });

export const OptionalField = (description: string, type?: ReturnType) =>
  type ? Field(type, { description, nullable: true }) : Field({ description, nullable: true });
