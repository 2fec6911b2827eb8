import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { defineJob } from '../kernel/jobs/job-queue.js';
import type { TableServices } from '../tables/table-context.js';
import { ingestLists } from './edges.js';
import { flushBatches } from './flush-batches.js';
import { flushBatchesQueue } from './flush-batches-job.js';
import { HeldRecordsResolver } from './held/held-records.resolver.js';
import { IngestBatch } from './ingest-batch.js';
import { IngestDelivery } from './ingest-delivery.js';
import { IngestToken } from './ingest-token.js';
import { IngestTokenResolver } from './ingest-token.resolver.js';
import { PushedTapsResolver } from './pushed-taps.resolver.js';

interface JobServices {
  readonly tableServices: TableServices;
}

export const ingest: DomainManifest<JobServices> = {
  entities: [IngestToken, IngestBatch, IngestDelivery],
  resolvers: [IngestTokenResolver, HeldRecordsResolver, PushedTapsResolver],
  lists: ingestLists,
  jobs: [defineJob(flushBatchesQueue, ({ tableServices }, data, job) => flushBatches(tableServices, data, job))],
};
