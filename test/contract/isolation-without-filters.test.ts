import { describe } from 'vitest';
import { disableTenantFilters } from '../support/isolation/disable-tenant-filters.js';
import { itIsolatesTenants } from '../support/isolation/tenant-isolation.js';
import { aConnectedWorkspace } from '../support/sources/connected-workspace.js';

// A separate service, because the service keeps the statements that it builds.
const connected = await aConnectedWorkspace({});

describe('with row level security alone', () => itIsolatesTenants(connected, false, disableTenantFilters));
