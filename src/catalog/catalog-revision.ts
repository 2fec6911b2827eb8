import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { IdColumn, newId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading/reader.js';

/**
 * The table has one row. Each load that changes the catalog replaces this row. A cached response is valid for one
 * revision.
 */
@Entity()
export class CatalogRevision {
  @PrimaryKey({ type: IdColumn })
  id: string = newId();

  /** Whether the service has added the new taps of this revision to all existing connections. */
  @Property({ type: 'boolean', default: false })
  reachedConnections: boolean = false;
}

export async function readCatalogRevision(read: Reader): Promise<string> {
  const [revision] = await read.select(CatalogRevision, { limit: 1 });
  return revision?.id ?? 'empty';
}
