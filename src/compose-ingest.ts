import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config.js';
import { AcceptBatches } from './ingest/accept-batches.js';
import { Doors } from './ingest/find-door.js';
import type { IngestParts } from './ingest/ingest-context.js';
import type { Jobs } from './kernel/jobs.js';
import type { Readers } from './kernel/readers.js';
import type { Tables } from './kernel/tables.js';
import type { SecretStore } from './secrets/secret-store.js';
import type { StorageQuota } from './tenancy/storage-quota.js';

interface Outside {
  readonly em: EntityManager;
  readonly tables: Tables;
  readonly readers: Readers;
  readonly secrets: SecretStore;
  readonly storage: StorageQuota;
  readonly jobs: Jobs;
}

/** What pushed records need beyond a request, once for a process. */
export function composeIngest(config: Config, { em, tables, readers, secrets, storage, jobs }: Outside): IngestParts {
  return {
    graceSeconds: config.ingestGraceSeconds,
    doors: new Doors(readers, secrets),
    batches: new AcceptBatches({ em, tables, storage, jobs }, config.ingestFlushSeconds),
  };
}
