import { AppError } from '../kernel/errors.js';
import { formatBytes } from '../kernel/formats/format-bytes.js';
import {
  type SealedSecrets,
  type SecretLocation,
  type SecretStore,
  type Secrets,
  SecretsUnreadable,
} from './secret-store.js';
import { type VaultClient, VaultResponseError, VaultUnavailable } from './vault-client.js';

/**
 * `v1.<version>.<path within the engine>`. All fields of a record share one reference, because they are in one Vault
 * entry.
 */
const REFERENCE = /^v1\.([1-9]\d{0,9})\.([\w./-]+)$/;
const ID = /^[0-9A-Za-z]{22}$/;
/** If a record has several Vault entries, a suffix distinguishes them. */
const RECORD = /^[0-9A-Za-z]{22}(\.[a-z]{1,20})?$/;

/**
 * Maximum size of all secrets of a record as JSON. Vault may escape one character as six characters, and its response
 * must still fit MAX_RESPONSE_BYTES.
 */
const MAX_SECRETS_BYTES = 40 * 1024;

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
        `The secrets of one credential exceed ${formatBytes(MAX_SECRETS_BYTES)} in total.`,
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

  /** Deletes all versions of the Vault entry, even if the record refers to only one of them. */
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
    if (!ID.test(tenantId) || !RECORD.test(recordId)) throw new TypeError('tenantId and recordId must be ids');
    return `${this.vault.prefix}/${tenantId}/${recordId}`;
  }
}

function requireText(value: unknown): string {
  if (typeof value !== 'string') throw new SecretsUnreadable();
  return value;
}
