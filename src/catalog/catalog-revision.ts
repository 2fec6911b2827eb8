import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { IdColumn, newId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading/reader.js';

/**
 * A table with one row. Every load that changes the catalog replaces the row. Cached responses are valid for one
 * revision.
 */
@Entity()
export class CatalogRevision {
  @PrimaryKey({ type: IdColumn })
  id: string = newId();

  /** Whether the service has updated existing connections to the taps of this revision. */
  @Property({ type: 'boolean', default: false })
  reachedConnections: boolean = false;
}

export async function readCatalogRevision(read: Reader): Promise<string> {
  const [revision] = await read.select(CatalogRevision, { limit: 1 });
  return revision?.id ?? 'empty';
}
