import { AppError } from '../kernel/errors.js';
import {
  type SealedSecrets,
  type SecretLocation,
  type SecretStore,
  type Secrets,
  SecretsUnreadable,
} from './secret-store.js';
import { type VaultClient, VaultResponseError, VaultUnavailable } from './vault-client.js';

/** `v1.<version>.<path within the engine>`: all fields of a record stand in one entry, and have the same reference. */
const REFERENCE = /^v1\.([1-9]\d{0,9})\.([\w./-]+)$/;
const ID = /^[0-9A-Za-z]{22}$/;
/** A record may have several places, told apart by a word. */
const RECORD = /^[0-9A-Za-z]{22}(\.[a-z]{1,20})?$/;

/** Of all secrets of a record as JSON. A reply may spell a letter in six, and must still be within its limit. */
const MAX_SECRETS_BYTES = 40 * 1024;

/** Keeps secrets in a Vault; in the database stands where, and in which version. */
export class VaultStore implements SecretStore {
  constructor(private readonly vault: VaultClient) {}

  async seal(place: SecretLocation, secrets: Secrets): Promise<SealedSecrets> {
    const fields = Object.keys(secrets);
    if (fields.length === 0) return {};
    const path = this.#pathOf(place);
    const body = JSON.stringify({ data: secrets });
    if (Buffer.byteLength(body) > MAX_SECRETS_BYTES) {
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The secrets of one object may take ${MAX_SECRETS_BYTES / 1024} KiB together.`,
      );
    }
    const { version } = ((await this.vault.call('POST', `data/${path}`, body)) ?? {}) as { version?: unknown };
    if (!Number.isSafeInteger(version)) throw new VaultUnavailable(new VaultResponseError('without a version'));
    return Object.fromEntries(fields.map((field) => [field, `v1.${version}.${path}`]));
  }

  async open(place: SecretLocation, sealed: SealedSecrets): Promise<Secrets> {
    const fields = Object.keys(sealed);
    const [reference, ...others] = new Set(Object.values(sealed));
    if (reference === undefined) return {};
    const [, version, path] = (typeof reference === 'string' && REFERENCE.exec(reference)) || [];
    if (others.length > 0 || !version || path !== this.#pathOf(place)) throw new SecretsUnreadable();
    const secrets = await this.#read(path, Number(version));
    return Object.fromEntries(fields.map((field) => [field, requireText(secrets[field])]));
  }

  /** With all its versions, whichever of them the record knew of. */
  async destroy(place: SecretLocation): Promise<void> {
    await this.vault.call('DELETE', `metadata/${this.#pathOf(place)}`);
  }

  async #read(path: string, version: number): Promise<Record<string, unknown>> {
    const found = await this.vault.call('GET', `data/${path}?version=${version}`);
    const { data, metadata } = (found ?? {}) as { data?: unknown; metadata?: { version?: unknown } };
    if (metadata?.version !== version || typeof data !== 'object' || data === null) throw new SecretsUnreadable();
    return data as Record<string, unknown>;
  }

  #pathOf({ tenantId, recordId }: SecretLocation): string {
    if (!ID.test(tenantId) || !RECORD.test(recordId)) throw new TypeError('a place is named by ids');
    return `${this.vault.prefix}/${tenantId}/${recordId}`;
  }
}

function requireText(value: unknown): string {
  if (typeof value !== 'string') throw new SecretsUnreadable();
  return value;
}
