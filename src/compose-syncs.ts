import type { Pool } from 'pg';
import { SourceRateLimiter } from './instances/credentials/source-rate-limiter.js';
import type { ReaderFactory } from './kernel/reading/reader-factory.js';
import type { SecretStore } from './secrets/secret-store.js';
import type { SendFor } from './sources/source-request.js';
import { TapOpener } from './syncs/reading/tap-opener.js';
import { openSourceTap } from './syncs/runs/open-source-tap.js';
import type { SyncServices } from './syncs/runs/sync-services.js';
import type { TableServices } from './tables/table-context.js';

interface SyncDependencies {
  readonly readers: ReaderFactory;
  readonly secrets: SecretStore;
  readonly pool: Pool;
  readonly sendFor: SendFor;
}

/** Creates the process-wide services of syncs. */
export function composeSyncs(
  tableServices: TableServices,
  { readers, secrets, pool, sendFor }: SyncDependencies,
): SyncServices {
  const opener = new TapOpener({ readers, secrets, sendFor, sourceLimits: new SourceRateLimiter(pool) });
  return { tableServices, openTap: (tap, signal) => openSourceTap(opener, tap, signal) };
}
