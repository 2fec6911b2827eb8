import { Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { SharedTable } from '../entities/shared-table.js';

/** The row stores only a hash of the key. */
@SharedTable()
export class TokenBucket {
  /** SHA-256 of the key, hexadecimal. */
  @PrimaryKey({ type: 'text' })
  hash: string;

  /** Time at which the bucket will be full. A full bucket needs no row. */
  @Index()
  @Property({ type: 'datetime', length: 6 })
  fullAt: Date;
}
