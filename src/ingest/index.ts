import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { flushBatchesQueue } from './flush-batches-job.js';
import { IngestBatch } from './ingest-batch.js';
import { IngestDelivery } from './ingest-delivery.js';
import { IngestToken } from './ingest-token.js';
import { IngestTokenResolver } from './ingest-token.resolver.js';
import { TapIngestTokensResolver } from './tap-ingest-tokens.resolver.js';

export const ingest: DomainManifest = {
  entities: [IngestToken, IngestBatch, IngestDelivery],
  resolvers: [IngestTokenResolver, TapIngestTokensResolver],
  jobs: [flushBatchesQueue],
};
