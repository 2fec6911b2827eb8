import type { EntityClass } from '@mikro-orm/core';

/** Returns an SQL condition that compares `expression` with the filter values of a request. */
export type Compare = (expression: string) => string;

/** Clients can filter and order the lists of an entity by these properties. */
export interface ListedProperties {
  /**
   * The filter of an enumeration, a reference or an `exact` string matches one of several values. The filter of any
   * other string matches a part of the string. The filter of a time matches a range, and the filter of a boolean
   * matches one value.
   */
  readonly filters: readonly string[];
  /** SQL conditions of filters without a column, by filter name. The compared value is an enumeration or a string. */
  readonly computed?: Readonly<Record<string, (compare: Compare) => string>>;
  /** String properties in `filters` for which a filter value must match the whole text. */
  readonly exact?: readonly string[];
  readonly orders: readonly string[];
}

const listed = new Map<unknown, ListedProperties>();

export function Listed(properties: ListedProperties) {
  return (entity: EntityClass<object>): void => {
    listed.set(entity, properties);
  };
}

export function listedPropertiesOf(entity: unknown): ListedProperties | undefined {
  return listed.get(entity);
}
