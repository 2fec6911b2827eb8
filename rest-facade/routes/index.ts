import { artifactRoutes } from './artifacts.js';
import { connectionRoutes } from './connections.js';
import { connectorRequestRoutes } from './connector-requests.js';
import { connectorRoutes } from './connectors.js';
import type { Route } from './route.js';
import { userRoutes } from './users.js';
import { vendorRoutes } from './vendors.js';

/** Every path below `/api`. */
export const routes: readonly Route[] = [
  ...vendorRoutes,
  ...connectorRoutes,
  ...connectionRoutes,
  ...artifactRoutes,
  ...connectorRequestRoutes,
  ...userRoutes,
];
