import type { EntityClass } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';

const shared = new Set<unknown>();

/**
 * The rows of the entity belong to no workspace, but change while the service runs. The table has no row level
 * security, so its rows must not reveal anything about a workspace.
 */
export function SharedTable() {
  return (target: EntityClass<object>): void => {
    Entity()(target);
    shared.add(target);
  };
}

export function isSharedTable(entity: unknown): boolean {
  return shared.has(entity);
}
