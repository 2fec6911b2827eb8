import { PrimaryKeyProp } from '@mikro-orm/core';
import { Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { SharedTable } from '../entities/shared-table.js';

/** All processes together run at most one operation per slot. The row stores only a hash of the key. */
@SharedTable()
export class ConcurrencySlot {
  [PrimaryKeyProp]?: ['hash', 'slot'];

  /** SHA-256 of the key, hexadecimal. */
  @PrimaryKey({ type: 'text' })
  hash: string;

  /** From 1 up to the limit of the key. */
  @PrimaryKey({ type: 'integer' })
  slot: number;

  /** Random UUID that the process chose when it acquired the slot. */
  @Property({ type: 'uuid' })
  holder: string;

  /** Time at which the slot becomes free unless the holder renews it. */
  @Index()
  @Property({ type: 'datetime', length: 6 })
  heldUntil: Date;
}
