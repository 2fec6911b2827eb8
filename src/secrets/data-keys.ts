import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { decodeId, newId } from '../kernel/ids.js';
import type { ReaderFactory } from '../kernel/reading/reader-factory.js';
import { DataKey, ROTATION_SCOPE } from './data-key.js';
import { KEY_BYTES, type KeyRing } from './key-ring.js';
import { SecretsUnreadable } from './secret-store.js';
import { unwrapKey, type WrappedKey, wrapKey } from './wrapped-key.js';

/** After this time, the process checks again that the row of a cached key still exists. */
const CACHE_TTL_MS = 30_000;

const MAX_CACHED_KEYS = 1_000;

export class DataKeys {
  readonly #opened: LRUCache<string, KeyObject>;

  constructor(
    private readonly readers: ReaderFactory,
    private readonly ring: KeyRing,
    { lifetime = CACHE_TTL_MS } = {},
  ) {
    this.#opened = new LRUCache({ max: MAX_CACHED_KEYS, ttl: lifetime });
  }

  /**
   * Creates the key on first use. Reads the key from the database at each call, because the cache could contain a
   * deleted key. Secrets that are sealed with a deleted key are lost.
   */
  async current(tenantId: string): Promise<{ id: string; key: KeyObject }> {
    const row = (await this.#find(tenantId)) ?? (await this.#make(tenantId));
    return { id: row.id, key: this.#open(row) };
  }

  /** Throws `SecretsUnreadable`. */
  async byId(tenantId: string, id: string): Promise<KeyObject> {
    const opened = this.#opened.get(nameOf({ tenantId, id }));
    if (opened) return opened;
    const row = await this.#find(tenantId);
    if (row?.id !== id) throw new SecretsUnreadable();
    return this.#open(row);
  }

  #open(row: WrappedKey): KeyObject {
    const name = nameOf(row);
    const key = this.#opened.get(name) ?? unwrapKey(this.ring, row);
    this.#opened.set(name, key);
    return key;
  }

  async #find(tenantId: string): Promise<WrappedKey | undefined> {
    const [row] = await this.readers.forTenant(tenantId).select(DataKey, { limit: 1 });
    return row;
  }

  /** Concurrent calls return the key that one of them has inserted. */
  async #make(tenantId: string): Promise<WrappedKey> {
    const place = { id: newId(), tenantId };
    const { keyId, wrapped } = wrapKey(this.ring, place, createSecretKey(randomBytes(KEY_BYTES)));
    await this.readers.forTenant(tenantId).rows(
      `insert into data_key (id, tenant_id, created_at, key_id, wrapped) values ($1, $2, now(), $3, $4)
         on conflict (tenant_id) do nothing`,
      [decodeId(place.id), decodeId(tenantId), keyId, wrapped],
    );
    const row = await this.#find(tenantId);
    if (!row) throw new SecretsUnreadable(); // Another process deleted the key after the insert.
    return row;
  }
}

export async function hasDataKeys(readers: ReaderFactory): Promise<boolean> {
  return (await readers.forScope(ROTATION_SCOPE).rows('select from data_key limit 1', [])).length > 0;
}

function nameOf({ tenantId, id }: { tenantId: string; id: string }): string {
  return `${tenantId}/${id}`;
}
