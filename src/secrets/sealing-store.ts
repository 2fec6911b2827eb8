import { decrypt, encrypt } from './authenticated-encryption.js';
import type { DataKeys } from './data-keys.js';
import {
  type SealedSecrets,
  type SecretLocation,
  type SecretStore,
  type Secrets,
  SecretsUnreadable,
} from './secret-store.js';

const VERSION = 's1';

/** `s1.<id of the data key>.<ciphertext in base64url>`. */
const SEALED = /^s1\.([0-9A-Za-z]{22})\.([\w-]+)$/;

export class SealingStore implements SecretStore {
  constructor(private readonly keys: DataKeys) {}

  async seal(place: SecretLocation, secrets: Secrets): Promise<SealedSecrets> {
    const fields = Object.entries(secrets);
    if (fields.length === 0) return {};
    const { id, key } = await this.keys.current(place.tenantId);
    return Object.fromEntries(
      fields.map(([field, secret]) => {
        const text = encrypt(key, contextOf(place, field, id), Buffer.from(secret));
        return [field, `${VERSION}.${id}.${text}`];
      }),
    );
  }

  async open(place: SecretLocation, sealed: SealedSecrets): Promise<Secrets> {
    const fields = Object.entries(sealed).map(async ([field, text]) => [field, await this.#open(place, field, text)]);
    return Object.fromEntries(await Promise.all(fields));
  }

  /** The record itself contains the sealed values, so there is nothing to remove. */
  async destroy(): Promise<void> {}

  async #open(place: SecretLocation, field: string, sealed: unknown): Promise<string> {
    const [, id, text] = (typeof sealed === 'string' && SEALED.exec(sealed)) || [];
    if (!id || !text) throw new SecretsUnreadable();
    const plain = decrypt(await this.keys.byId(place.tenantId, id), contextOf(place, field, id), text);
    if (!plain) throw new SecretsUnreadable();
    return plain.toString();
  }
}

function contextOf({ tenantId, recordId }: SecretLocation, field: string, dataKeyId: string): string[] {
  return [VERSION, tenantId, recordId, field, dataKeyId];
}
