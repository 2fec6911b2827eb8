import { ChangeSetType, type EntityManager } from '@mikro-orm/core';
import { catalogPathOf } from './catalog-path.js';
import type { Removals } from './removals.js';

/**
 * Catalog paths of the rows that a load adds, changes and removes. In `changed`, the names of the changed fields follow
 * each path, for example `github/github/issues: sync, description`.
 */
export interface CatalogChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

export function computeCatalogChanges(em: EntityManager, removals: Removals): CatalogChanges {
  const work = em.getUnitOfWork();
  work.computeChangeSets();
  const changes: CatalogChanges = { added: [], changed: [], removed: removals.paths() };
  for (const { type, entity, payload } of work.getChangeSets()) {
    const fields = Object.keys(payload).filter((field) => field !== 'updatedAt');
    if (type === ChangeSetType.CREATE) changes.added.push(catalogPathOf(entity));
    else changes.changed.push(`${catalogPathOf(entity)}: ${fields.join(', ')}`);
  }
  for (const paths of Object.values(changes)) paths.sort();
  return changes;
}
