import type { EntityClass } from '@mikro-orm/core';

/** Returns the SQL condition that is true if the value of an SQL expression matches the filter. */
export type Compare = (expression: string) => string;

/** Properties of an entity by which clients can filter and order its lists. */
export interface ListedProperties {
  /**
   * The filter of an enumeration, a reference or an `exact` string matches one of several values. The filter of any
   * other string matches if the string contains the value. The filter of a time matches a range, and the filter of a
   * boolean matches one value.
   */
  readonly filters: readonly string[];
  /**
   * SQL conditions of additional filters, by filter name. Each filter compares an enumeration or a string that is not a
   * column.
   */
  readonly computed?: Readonly<Record<string, (compare: Compare) => string>>;
  /** String properties among `filters` that match only as a whole. */
  readonly exact?: readonly string[];
  readonly orders: readonly string[];
}

const listed = new Map<unknown, ListedProperties>();

/** Declares the filters and sort orders of all lists of an entity. */
export function Listed(properties: ListedProperties) {
  return (entity: EntityClass<object>): void => {
    listed.set(entity, properties);
  };
}

export function listedPropertiesOf(entity: unknown): ListedProperties | undefined {
  return listed.get(entity);
}
