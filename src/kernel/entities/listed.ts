import type { EntityClass } from '@mikro-orm/core';

/** Properties of an entity that its lists filter and order by. */
export interface ListedProperties {
  /**
   * An enumeration, reference or `exact` text matches one of several values; another text matches if it contains the
   * value; a time matches a range.
   */
  readonly filters: readonly string[];
  /** Texts among `filters` that match as a whole. */
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
