import type { Adapter, AdapterPayload } from 'oidc-provider';
import { nowSeconds } from './jwks-server.js';

/** Replaces the built-in store of `oidc-provider`, which prints a warning at each start. */
export class OidcAdapter {
  readonly #rows = new Map<string, AdapterPayload>();

  /** Value of `adapter` in the configuration of the provider. */
  readonly adapter = (model: string): Adapter => ({
    upsert: async (id, payload) => {
      this.#rows.set(`${model} ${id}`, payload);
      if (payload.uid) this.#rows.set(`${model} of uid ${payload.uid}`, payload);
    },
    find: async (id) => this.#rows.get(`${model} ${id}`),
    findByUid: async (uid) => this.#rows.get(`${model} of uid ${uid}`),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      Object.assign(this.#rows.get(`${model} ${id}`) ?? {}, { consumed: nowSeconds() });
    },
    destroy: async (id) => {
      this.#rows.delete(`${model} ${id}`);
    },
    revokeByGrantId: async (grantId) => this.removeAll(model, (row) => row.grantId === grantId),
  });

  rows(model: string): AdapterPayload[] {
    return [...this.#rows].filter(([key]) => key.startsWith(`${model} `)).map(([, row]) => row);
  }

  removeAll(model: string, matches: (row: AdapterPayload) => boolean = () => true): void {
    for (const [key, row] of this.#rows) if (key.startsWith(`${model} `) && matches(row)) this.#rows.delete(key);
  }
}
