import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { IdColumn, newId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading/reader.js';

/** One row, replaced whenever loading changed the catalog: cached representations are good as long as it stays. */
@Entity()
export class CatalogRevision {
  @PrimaryKey({ type: IdColumn })
  id: string = newId();

  /** Whether existing connections have the taps of this revision. */
  @Property({ type: 'boolean', default: false })
  reachedConnections: boolean = false;
}

export async function readCatalogRevision(read: Reader): Promise<string> {
  const [revision] = await read.select(CatalogRevision, { limit: 1 });
  return revision?.id ?? 'empty';
}
