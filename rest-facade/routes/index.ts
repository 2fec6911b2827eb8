import { artifactRoutes } from './artifacts.js';
import { catalogTableRoutes } from './catalog-tables.js';
import { connectionRoutes } from './connections.js';
import { connectorRequestRoutes } from './connector-requests.js';
import { connectorRoutes } from './connectors.js';
import { ingestTokenRoutes } from './ingest-tokens.js';
import type { Route } from './route.js';
import { syncRoutes } from './syncs.js';
import { tableResultRoutes } from './table-results.js';
import { tapRoutes } from './taps.js';
import { userRoutes } from './users.js';
import { vendorRoutes } from './vendors.js';

export const routes: readonly Route[] = [
  ...vendorRoutes,
  ...connectorRoutes,
  ...connectionRoutes,
  ...syncRoutes,
  ...artifactRoutes,
  ...tapRoutes,
  ...ingestTokenRoutes,
  ...catalogTableRoutes,
  ...tableResultRoutes,
  ...connectorRequestRoutes,
  ...userRoutes,
];
