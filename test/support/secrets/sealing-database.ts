import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../src/database/orm.js';
import { prepareRuntimeRole } from '../../../src/database/runtime-role.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { newId } from '../../../src/kernel/ids.js';
import { ReaderFactory } from '../../../src/kernel/reading/reader-factory.js';
import { DataKeys } from '../../../src/secrets/data-keys.js';
import { parseKeyRing } from '../../../src/secrets/key-ring.js';
import { SealingStore } from '../../../src/secrets/sealing-store.js';
import type { SecretLocation } from '../../../src/secrets/secret-store.js';
import { loginTo } from '../database/runtime-role.js';

export function newSealingKeys(...ids: string[]): string {
  return ids.map((id) => `${id}:${randomBytes(32).toString('base64')}`).join(',');
}

export function aPlace(tenantId = newId()): SecretLocation {
  return { tenantId, recordId: newId() };
}

/** Each store has its own pool, with the login of the runtime role. */
export class SealingDatabase {
  readonly #orms: MikroORM[] = [];

  constructor(private readonly url: string) {}

  async prepare(): Promise<this> {
    const owner = createOrm(this.url);
    await prepareRuntimeRole(owner, loginTo({ databaseUrl: this.url })).finally(() => owner.close(true));
    return this;
  }

  async readers(): Promise<ReaderFactory> {
    const orm = createOrm(loginTo({ databaseUrl: this.url }).url);
    this.#orms.push(orm);
    return new ReaderFactory(new EntityTables(orm.getMetadata()), await orm.em.getConnection().getNativeClient());
  }

  /** Opens a store, as a different process would. */
  async store(keys: string, options?: { lifetime: number }): Promise<SealingStore> {
    return new SealingStore(new DataKeys(await this.readers(), parseKeyRing(keys), options));
  }

  async close(): Promise<void> {
    for (const orm of this.#orms) await orm.close(true);
  }
}
