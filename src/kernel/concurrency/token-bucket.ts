import { Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { SharedTable } from '../entities/shared-table.js';

/** How far a key has used up its rate. What the key was cannot be told from the row. */
@SharedTable()
export class TokenBucket {
  /** SHA-256 of the key, in hexadecimal digits. */
  @PrimaryKey({ type: 'text' })
  hash: string;

  /** When the bucket will be full again: all that there is to know of it, and a bucket that is full need not be kept. */
  @Index()
  @Property({ type: 'datetime', length: 6 })
  fullAt: Date;
}
