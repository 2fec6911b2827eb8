import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config.js';
import { DeliveryIntake } from './ingest/delivery-intake.js';
import type { IngestServices } from './ingest/ingest-context.js';
import { EndpointResolver } from './ingest/resolve-endpoint.js';
import type { EntityTables } from './kernel/entities/entity-tables.js';
import type { Jobs } from './kernel/jobs/jobs.js';
import type { ReaderFactory } from './kernel/reading/reader-factory.js';
import type { SecretStore } from './secrets/secret-store.js';
import type { StorageQuota } from './tenancy/storage-quota.js';

interface IngestDependencies {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly readers: ReaderFactory;
  readonly secrets: SecretStore;
  readonly storage: StorageQuota;
  readonly jobs: Jobs;
}

export function composeIngest(
  config: Config,
  { em, tables, readers, secrets, storage, jobs }: IngestDependencies,
): IngestServices {
  return {
    graceSeconds: config.ingestGraceSeconds,
    endpoints: new EndpointResolver(readers, secrets),
    intake: new DeliveryIntake({ em, tables, storage, jobs }, config.ingestFlushSeconds),
  };
}
