import type { Route } from './route.js';

const audit = {
  createdAt: '2026-01-31T12:00:00.000Z',
  createdBy: '2vMb1qUYpXl5LQ4Q8mB808',
  updatedAt: '2026-01-31T12:00:00.000Z',
  updatedBy: '2vMb1qUYpXl5LQ4Q8mB808',
};

const changed = {
  id: '4tQ8nW2xKrlCsVO93EktnB',
  ...audit,
  tap: { id: '6bN3kX9wNtf9Lf0YzW2th2', name: 'issues' },
  name: 'issues',
  enabled: true,
  tableName: 'github_issues_3f2b8c1e',
  promotedAt: '2026-01-31T12:00:05.000Z',
};

const tap = { ...changed, instance: { id: '7kP2mX9wLvJ0wvCculH5df', name: 'Production' } };

const published = {
  id: '2wE5rT8yS8cJRbmehUGf2t',
  ...audit,
  attributedArtifactId: '3fK8mQ2xWFrVLcR2Ir74QG',
  name: 'Orders',
  enabled: true,
  tableName: 'orders',
  publication: {
    id: '5gH2jK9lWqRHUbSxzq1Nq0',
    status: 'queued',
    bytesRead: 0,
    bytesTotal: 48213,
    rows: 0,
    rejectedRows: 0,
  },
};

export const tapRoutes: readonly Route[] = [
  {
    operation: 'tenantConnectorTaps',
    method: 'get',
    path: '/api/tenant-connector-taps',
    extension: true,
    paged: true,
    tag: 'Taps',
    summary: 'Taps',
    description:
      'Data streams of the workspace by name, those of its connections and those that were published from files; with `instanceId`, those of one connection. A connection has every tap of its connector, enabled or not. With `includeDeleted`, deleted taps are listed too, with `deletedAt`.',
    example: { items: [tap], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'tenantConnectorTap',
    method: 'get',
    path: '/api/tenant-connector-taps/{id}',
    extension: true,
    tag: 'Taps',
    summary: 'One tap',
    description: 'The tap. Of one that was published from a file, `publication` says how far its rows are.',
    notFoundMessage: 'There is no tap with this id.',
    example: tap,
  },
  {
    operation: 'addTenantConnectorTap',
    method: 'post',
    path: '/api/tenant-connector-taps',
    extension: true,
    tag: 'Taps',
    summary: 'Add a tap to a connection',
    description:
      'Adds a tap of its connector to a connection, enabled unless `enabled` is false. A tap that was deleted returns with its id, its name and its table with all rows; its earlier ingest tokens are revoked. 409 if the connection has the tap: enable it with `PATCH`.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: changed,
  },
  {
    operation: 'updateTenantConnectorTap',
    method: 'patch',
    path: '/api/tenant-connector-taps/{id}',
    extension: true,
    tag: 'Taps',
    summary: 'Enable or disable a tap',
    description:
      'A disabled tap is not read, and a push to it is a 409. Its table stays in the workspace catalog. `{}` changes nothing and returns the tap.',
    errorCodes: ['NOT_FOUND'],
    example: { ...changed, enabled: false },
  },
  {
    operation: 'deleteTenantConnectorTap',
    method: 'delete',
    path: '/api/tenant-connector-taps/{id}',
    tag: 'Taps',
    summary: 'Delete a tap',
    description:
      'The tap leaves every list and its table the workspace catalog; its ingest tokens no longer open. The rows stay. A file that it was published from may be deleted, or published again.',
    errorCodes: ['NOT_FOUND'],
    example: true,
  },
  {
    operation: 'publishArtifact',
    method: 'post',
    path: '/api/artifacts/{artifactId}/publish',
    extension: true,
    tag: 'Artifacts',
    summary: 'Publish a file as a table',
    description:
      'Makes a tap of a CSV file whose types an inference has found. Its table is named after it: `orders`, or `orders_2` where another tap has or had that name. A job reads the whole file into the table; `publication` of the tap says how far it is, and `promotedAt` when the rows came into the workspace catalog, all at once. 409 for a file of another type, one that is not ready, one whose types are not known, and one that was published already.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: published,
  },
];
