import type { Domain } from '../kernel/domain.js';
import { IngestBatch } from './ingest-batch.js';
import { IngestDelivery } from './ingest-delivery.js';
import { IngestToken } from './ingest-token.js';
import { IngestTokenResolver } from './ingest-token.resolver.js';
import { landBatchesQueue } from './land-batches-job.js';
import { TapIngestTokensResolver } from './tap-ingest-tokens.resolver.js';

export const ingest: Domain = {
  entities: [IngestToken, IngestBatch, IngestDelivery],
  resolvers: [IngestTokenResolver, TapIngestTokensResolver],
  jobs: [landBatchesQueue],
};
