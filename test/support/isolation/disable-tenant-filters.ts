import { EntityManager } from '@mikro-orm/core';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';

/**
 * Removes the workspace condition from all generated statements, in reads and in the unit of work, so that only row
 * level security isolates workspaces. Handwritten statements keep their conditions. Returns a function that restores
 * the conditions.
 */
export function disableTenantFilters(): () => void {
  const { of } = EntityTables.prototype;
  const { applyFilters } = EntityManager.prototype;
  EntityTables.prototype.of = function unfiltered(...args) {
    return { ...Reflect.apply(of, this, args), tenantColumn: undefined };
  };
  EntityManager.prototype.applyFilters = async (_, where) => where;
  return () => {
    EntityTables.prototype.of = of;
    EntityManager.prototype.applyFilters = applyFilters;
  };
}
