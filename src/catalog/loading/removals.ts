import type { EntityClass } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Connector } from '../model/connector.js';
import { CatalogInUseError } from './catalog-in-use-error.js';
import { catalogPathOf } from './catalog-path.js';

/** foreign_key_violation and restrict_violation. */
const FOREIGN_KEY_ERROR_CODES = ['23503', '23001'];

/**
 * Row level security hides connections from the owner role, so only foreign keys detect that a row is in use. With a
 * savepoint per deletion, the load finds all rows that are in use.
 */
export class Removals {
  readonly #rows: object[] = [];

  add(row: object): void {
    this.#rows.push(row);
  }

  paths(): string[] {
    return this.#rows.map(catalogPathOf);
  }

  /**
   * The caller must call this method last, when no other row of the load refers to these rows. Throws
   * `CatalogInUseError`.
   */
  async execute(em: EntityManager): Promise<void> {
    const inUse: string[] = [];
    const connectorsLast = (row: object): number => Number(row instanceof Connector); // Groupings refer to connectors.
    for (const row of this.#rows.toSorted((a, b) => connectorsLast(a) - connectorsLast(b)))
      if (!(await remove(em, row))) inUse.push(catalogPathOf(row));
    if (inUse.length) throw new CatalogInUseError(inUse.sort());
  }
}

async function remove(em: EntityManager, row: object): Promise<boolean> {
  await em.execute('savepoint removal');
  try {
    await em.nativeDelete(row.constructor as EntityClass<{ id: string }>, { id: (row as { id: string }).id });
    await em.execute('release savepoint removal');
    return true;
  } catch (error) {
    if (!FOREIGN_KEY_ERROR_CODES.includes((error as { code: string }).code)) throw error;
    await em.execute('rollback to savepoint removal');
    return false;
  }
}
