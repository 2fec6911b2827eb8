import type { Config } from './config.js';
import type { OutboundClient } from './kernel/outbound/outbound-client.js';
import type { ReaderFactory } from './kernel/reading/reader-factory.js';
import { StartupError } from './kernel/startup-error.js';
import { DataKeys, hasDataKeys } from './secrets/data-keys.js';
import { keyFilePath, loadKeyRing } from './secrets/key-file.js';
import { type KeyRing, KeyRingError } from './secrets/key-ring.js';
import { SealingStore } from './secrets/sealing-store.js';
import type { SecretStore } from './secrets/secret-store.js';
import { VaultClient } from './secrets/vault-client.js';
import { VaultStore } from './secrets/vault-store.js';

/** Throws `StartupError`. */
export async function createSecretStore(
  config: Config,
  { readers, outbound }: { readers: ReaderFactory; outbound: OutboundClient },
): Promise<SecretStore> {
  const { vault } = config;
  if (vault) return new VaultStore(new VaultClient(vault, outbound));
  return new SealingStore(new DataKeys(readers, await resolveSealingKeys(config, readers)));
}

/** Without SEALING_KEYS, returns the keys of the key file in DATA_DIR. Throws `StartupError`. */
export async function resolveSealingKeys(
  { sealingKeys: given, dataDir }: Config,
  readers: ReaderFactory,
): Promise<KeyRing> {
  if (given) return given;
  return loadKeyRing(dataDir, () => hasDataKeys(readers)).catch((error: unknown) => {
    throw error instanceof KeyRingError ? new StartupError(`${keyFilePath(dataDir)} ${error.message}`) : error;
  });
}
