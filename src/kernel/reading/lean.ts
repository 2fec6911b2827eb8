import type { Collection } from '@mikro-orm/core';
import type { Pending } from './pending.js';

/**
 * A plain object for reading. It has the property names of its entity, but relations are ids, and times are ISO
 * strings. Only writes use entities.
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

/** A value, or a pending value if a statement must read it first. */
export type MaybePromise<Value> = Value | Pending<Value>;
