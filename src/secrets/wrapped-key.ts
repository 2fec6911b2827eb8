import { createSecretKey, type KeyObject } from 'node:crypto';
import { decrypt, encrypt } from './authenticated-encryption.js';
import type { KeyRing } from './key-ring.js';
import { SecretsUnreadable } from './secret-store.js';

/** `keyId` is the id of the sealing key that wraps the data key. */
export interface WrappedKey {
  readonly id: string;
  readonly tenantId: string;
  readonly keyId: string;
  readonly wrapped: string;
}

const VERSION = 'w1';
const WRAPPED = /^w1\.([\w-]+)$/;

export function wrapKey(ring: KeyRing, { id, tenantId }: { id: string; tenantId: string }, key: KeyObject): WrappedKey {
  const { id: keyId, key: ringKey } = ring.newest;
  const wrapped = encrypt(ringKey, contextOf({ id, tenantId, keyId }), key.export());
  return { id, tenantId, keyId, wrapped: `${VERSION}.${wrapped}` };
}

/** Throws `SealingKeyMissing` or `SecretsUnreadable`. */
export function unwrapKey(ring: KeyRing, row: WrappedKey): KeyObject {
  const [, text] = WRAPPED.exec(row.wrapped) ?? [];
  const bytes = text && decrypt(ring.key(row.keyId), contextOf(row), text);
  if (!bytes) throw new SecretsUnreadable();
  return createSecretKey(bytes);
}

function contextOf({ id, tenantId, keyId }: Omit<WrappedKey, 'wrapped'>): string[] {
  return [VERSION, tenantId, keyId, id];
}
