import { connectorRoutes } from './connectors.js';
import type { Route } from './route.js';
import { vendorRoutes } from './vendors.js';

/** Every path below `/api`. */
export const routes: readonly Route[] = [...vendorRoutes, ...connectorRoutes];
