import type { EntityClass } from '@mikro-orm/core';

/** What a domain contributes to the house. */
export interface Domain {
  readonly entities: readonly EntityClass<object>[];
  readonly resolvers: readonly (new () => object)[];
}
