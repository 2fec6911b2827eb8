import { describe } from 'vitest';
import { disableTenantFilters } from '../support/isolation/disable-tenant-filters.js';
import { itIsolatesTenants } from '../support/isolation/tenant-isolation.js';
import { aConnectedWorkspace } from '../support/sources/connected-workspace.js';

// Uses a separate service, because a service caches its SQL statements, including their tenant filters.
const connected = await aConnectedWorkspace({});

describe('with row level security alone', () => itIsolatesTenants(connected, false, disableTenantFilters));
