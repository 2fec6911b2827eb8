import type { Collection } from '@mikro-orm/core';
import type { Pending } from './pending.js';

/**
 * Lean, batched reads. A row is a plain object with the entity's property names; relations are ids and times are ISO
 * strings. Statements are generated once from the entity metadata and prepared by PostgreSQL. Reads of one request that
 * differ only in their key become one statement. Entities are used only for writing.
 */
export type Lean<Entity> = {
  [Key in keyof Entity as NonNullable<Entity[Key]> extends Collection<object> ? never : Key]: Entity[Key] extends
    | { unwrap(): unknown }
    | undefined
    ? string | Extract<Entity[Key], undefined>
    : Entity[Key] extends Date | undefined
      ? string | Extract<Entity[Key], undefined>
      : Entity[Key];
};

/** A value that may be available synchronously. */
export type MaybePromise<Value> = Value | Pending<Value>;
