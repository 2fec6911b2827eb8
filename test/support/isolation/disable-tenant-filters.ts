import { EntityManager } from '@mikro-orm/core';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';

/**
 * Takes every condition on the workspace out of what the application writes by itself, in reads and in the unit of work, so
 * that row level security stands alone. Statements written by hand keep theirs. Returns what puts the conditions back.
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
