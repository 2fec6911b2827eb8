import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../src/config.js';
import { resolveSealingKeys } from '../src/create-secret-store.js';
import { openDatabase } from '../src/database/open-database.js';
import { EntityTables } from '../src/kernel/entities/entity-tables.js';
import { createLogger } from '../src/kernel/logger.js';
import { ReaderFactory } from '../src/kernel/reading/reader-factory.js';
import type { KeyRing } from '../src/secrets/key-ring.js';
import { type KeyRotation, rotateKeys } from '../src/secrets/rotate-keys.js';

try {
  const config = readConfig();
  if (config.vault) throw new Error('SECRET_STORE is vault, which uses no sealing keys');
  requireInstallation(config);
  const database = await openDatabase(config, createLogger('warn'), async () => undefined);
  try {
    const { em } = database.orm;
    const readers = new ReaderFactory(new EntityTables(em.getMetadata()), await em.getConnection().getNativeClient());
    const ring = await resolveSealingKeys(config, readers);
    report(ring, await rotateKeys(readers, ring, (rewrapped) => console.log(`${rewrapped} data keys re-wrapped`)));
  } finally {
    await database.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Throws an error if there is no installation, because a mistyped DATA_DIR would otherwise create one. */
function requireInstallation({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !existsSync(join(dataDir, 'postgres')))
    throw new Error(`DATA_DIR: ${dataDir} contains no database. Set DATA_DIR or DATABASE_URL`);
}

function report({ newest }: KeyRing, { rewrapped, counts }: KeyRotation): void {
  const sum = [...counts.values()].reduce((total, count) => total + count, 0);
  console.log(
    `${rewrapped} data keys re-wrapped; the key ${newest.id} now wraps ${counts.get(newest.id) ?? 0} of ${sum} data keys`,
  );
  const left = [...counts].filter(([keyId]) => keyId !== newest.id).map(([keyId, count]) => `${keyId} wraps ${count}`);
  if (left.length)
    throw new Error(
      `Some data keys are wrapped with sealing keys that the command lacks: ${left.join(', ')}. Add these sealing keys after the newest key in SEALING_KEYS (without SEALING_KEYS: in the key file). Then repeat the command.`,
    );
}
