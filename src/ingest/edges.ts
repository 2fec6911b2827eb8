import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import type { ListEdge } from '../kernel/entities/list-edge.js';
import { HISTORY_LIMIT } from '../kernel/reading/paging.js';
import type { AccessRule } from '../tenancy/access.js';
import { IngestToken } from './ingest-token.js';

export const ingestLists: readonly ListEdge<AccessRule>[] = [
  {
    ...{ on: TenantConnectorTap, name: 'ingestTokens', of: IngestToken, by: 'tap' },
    ...{ most: HISTORY_LIMIT, access: 'ingest_tokens:read' },
    description: 'Ingest tokens, newest first; the latest 50 unless `limit` is given.',
  },
];
