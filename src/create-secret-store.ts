import type { Config } from './config.js';
import type { Outbound } from './kernel/outbound.js';
import type { Readers } from './kernel/readers.js';
import { DataKeys, hasDataKeys } from './secrets/data-keys.js';
import { keyFileIn, keyRingIn } from './secrets/key-file.js';
import { type KeyRing, KeyRingError } from './secrets/key-ring.js';
import { SealingStore } from './secrets/sealing-store.js';
import type { SecretStore } from './secrets/secret-store.js';
import { VaultClient } from './secrets/vault-client.js';
import { VaultStore } from './secrets/vault-store.js';
import { StartupError } from './startup-error.js';

/** The driver that SECRET_STORE names. Throws `StartupError`. */
export async function createSecretStore(
  config: Config,
  { readers, outbound }: { readers: Readers; outbound: Outbound },
): Promise<SecretStore> {
  const { vault } = config;
  if (vault) return new VaultStore(new VaultClient(vault, outbound));
  return new SealingStore(new DataKeys(readers, await sealingKeys(config, readers)));
}

/** SEALING_KEYS, or those of the file in DATA_DIR. Throws `StartupError`. */
export async function sealingKeys({ sealingKeys: given, dataDir }: Config, readers: Readers): Promise<KeyRing> {
  if (given) return given;
  return keyRingIn(dataDir, () => hasDataKeys(readers)).catch((error: unknown) => {
    throw error instanceof KeyRingError ? new StartupError(`${keyFileIn(dataDir)} ${error.message}`) : error;
  });
}
