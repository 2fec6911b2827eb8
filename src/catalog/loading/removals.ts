import type { EntityClass } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Connector } from '../model/connector.js';
import { CatalogInUseError } from './catalog-in-use-error.js';
import { catalogPathOf } from './catalog-path.js';

/** What PostgreSQL says where a row is pointed at: foreign_key_violation, and restrict_violation. */
const FOREIGN_KEY_ERROR_CODES = ['23503', '23001'];

/**
 * Rows that no definition has any more. Connections of workspaces may be made of them, which row level security hides from the
 * owner of the tables, though not from foreign keys: so each is removed by itself, to learn of all that cannot be.
 */
export class Removals {
  readonly #rows: object[] = [];

  add(row: object): void {
    this.#rows.push(row);
  }

  paths(): string[] {
    return this.#rows.map(catalogPathOf);
  }

  /** After all else is written: what pointed at them may do so no longer. Throws `CatalogInUseError`. */
  async execute(em: EntityManager): Promise<void> {
    const inUse: string[] = [];
    const ofConnectorsLast = (row: object): number => Number(row instanceof Connector); // groupings point at them
    for (const row of this.#rows.toSorted((a, b) => ofConnectorsLast(a) - ofConnectorsLast(b)))
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
