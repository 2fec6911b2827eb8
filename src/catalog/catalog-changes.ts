import { ChangeSetType, type EntityManager } from '@mikro-orm/core';
import { Connector } from './connector.js';
import { PlatformVendor } from './platform-vendor.js';
import { PlatformVendorGrouping } from './platform-vendor-grouping.js';

/** What a load is about to write: paths such as `github/github/issues: sync, description`. */
export interface CatalogChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

const LIST_OF: Record<ChangeSetType, keyof CatalogChanges> = {
  [ChangeSetType.CREATE]: 'added',
  [ChangeSetType.UPDATE]: 'changed',
  [ChangeSetType.UPDATE_EARLY]: 'changed',
  [ChangeSetType.DELETE]: 'removed',
  [ChangeSetType.DELETE_EARLY]: 'removed',
};

export function changesOf(em: EntityManager): CatalogChanges {
  const work = em.getUnitOfWork();
  work.computeChangeSets();
  const changes: CatalogChanges = { added: [], changed: [], removed: [] };
  for (const { type, entity, payload } of work.getChangeSets()) {
    const fields = Object.keys(payload).filter((field) => field !== 'updatedAt');
    const list = LIST_OF[type];
    changes[list].push(list === 'changed' ? `${pathOf(entity)}: ${fields.join(', ')}` : pathOf(entity));
  }
  for (const paths of Object.values(changes)) paths.sort();
  return changes;
}

function pathOf(entity: object): string {
  if (entity instanceof PlatformVendor) return entity.slug;
  if (entity instanceof PlatformVendorGrouping)
    return `${entity.vendor.getEntity().slug}/groupings/${entity.groupingPath}`;
  if (entity instanceof Connector) return `${entity.vendor.getEntity().slug}/${entity.definitionKey}`;
  const part = entity as { connector: { getEntity(): Connector }; definitionKey?: string; name?: string };
  return `${pathOf(part.connector.getEntity())}/${part.definitionKey ?? part.name}`;
}
