import type { EntityClass } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';

const shared = new Set<unknown>();

/**
 * An entity whose rows belong to no workspace and are written by the running service. It has no row level security, so
 * its rows must not reveal anything about a workspace.
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
