import type { EntityClass } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';

const shared = new Set<unknown>();

/**
 * An entity whose rows belong to no workspace and are written by the service while it runs, not by the owner at the start alone. Row level
 * security does not stand around it, so its rows may say nothing about a workspace to whoever reads them.
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
