import { EntityManager } from '@mikro-orm/core';
import type { EntityTable } from '../../../src/kernel/entities/entity-table.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';

/**
 * Removes the workspace condition from generated statements, so that only row level security isolates workspaces.
 * Handwritten statements keep their conditions. Returns a function that restores the conditions.
 */
export function disableTenantFilters(): () => void {
  const { of } = EntityTables.prototype;
  const { applyFilters } = EntityManager.prototype;
  EntityTables.prototype.of = function unfiltered(...args) {
    return withoutFilter(Reflect.apply(of, this, args));
  };
  EntityManager.prototype.applyFilters = async (_, where) => where;
  return () => {
    EntityTables.prototype.of = of;
    EntityManager.prototype.applyFilters = applyFilters;
  };
}

function withoutFilter(table: EntityTable): EntityTable {
  return { ...table, tenantColumn: undefined, only: (...columns) => withoutFilter(table.only(...columns)) };
}
