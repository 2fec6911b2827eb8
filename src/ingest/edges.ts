import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import type { ListEdge } from '../kernel/entities/list-edge.js';
import { HISTORY_LIMIT } from '../kernel/reading/paging.js';
import type { AccessRule } from '../tenancy/access.js';
import { IngestBatch } from './ingest-batch.js';
import { IngestDelivery } from './ingest-delivery.js';
import { IngestToken } from './ingest-token.js';

export const ingestLists: readonly ListEdge<AccessRule>[] = [
  {
    ...{ on: TenantConnectorTap, name: 'ingestTokens', of: IngestToken, by: 'tap' },
    ...{ most: HISTORY_LIMIT, access: 'ingest_tokens:read' },
    description: 'Ingest tokens, newest first. Without `limit`, returns the latest 50.',
  },
  {
    ...{ on: TenantConnectorTap, name: 'deliveries', of: IngestDelivery, by: 'tap' },
    ...{ most: HISTORY_LIMIT, access: 'ingest_tokens:read' },
    // Excludes deliveries of earlier versions of the service, which did not store the number of records.
    where: 'records > 0',
    description:
      'Accepted deliveries that the service has stored for the detection of duplicates, latest `keptUntil` first. Without `limit`, returns the first 50.',
  },
  {
    ...{ on: TenantConnectorTap, name: 'pendingBatches', of: IngestBatch, by: 'tap' },
    ...{ most: HISTORY_LIMIT, access: 'ingest_tokens:read' },
    description:
      'Accepted batches whose records are not in the table yet, oldest first. Without `limit`, returns the oldest 50.',
  },
];
