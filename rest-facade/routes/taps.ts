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
  deletedRows: 'remove',
  driftPolicy: 'add',
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
  deletedRows: 'remove',
  driftPolicy: 'add',
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
    summary: 'List taps',
    description:
      'Taps of the workspace, ordered by name: taps of connections, and taps published from files. `instanceId` limits the list to one connection. The list includes disabled taps. `includeDeleted` adds deleted taps, which have `deletedAt`.',
    example: { items: [tap], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'tenantConnectorTap',
    method: 'get',
    path: '/api/tenant-connector-taps/{id}',
    extension: true,
    tag: 'Taps',
    summary: 'Get a tap',
    description: 'The tap. For a tap that was published from a file, `publication` contains the progress of the load.',
    notFoundMessage: 'The tap does not exist.',
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
      'Adds a tap of the connector to a connection. The tap is enabled, unless `enabled` is false. If the tap was deleted, the service restores it with its id, its name and its table with all rows. The ingest tokens of a restored tap remain revoked. Fails with 409 if the connection already has the tap. To enable a disabled tap, use `PATCH`.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: changed,
  },
  {
    operation: 'updateTenantConnectorTap',
    method: 'patch',
    path: '/api/tenant-connector-taps/{id}',
    extension: true,
    tag: 'Taps',
    summary: 'Change a tap',
    description:
      'Omitted fields keep their value. The service does not read a disabled tap, and a push to it fails with 409. Its table stays in the workspace catalog. `mode` takes effect with the next run or push, not for an open run. `mode: null` selects the default of the definition. `driftPolicy` takes effect with the next step of a sync or the next push. With `feedsTapId`, the service loads the records of this tap into the table of a second tap. The second tap must have the mode `upsert` or `history`. If the definition of this tap has no setting `feeds`, both taps must also have the same primary key, and columns with the same name must have the same type. Fails with 409 if the definition, the rows of the table, a feeding tap or an open sync does not allow the new `mode` or `feedsTapId`. `{}` changes nothing and returns the tap.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: {
      ...changed,
      enabled: false,
      mode: 'upsert',
      deletedRows: 'mark',
      driftPolicy: 'freeze',
      feedsTapId: '1lttObPTIryK8oY9VHiHB9',
    },
  },
  {
    operation: 'resetTenantConnectorTap',
    method: 'post',
    path: '/api/tenant-connector-taps/{id}/reset',
    extension: true,
    tag: 'Taps',
    summary: 'Reset a tap',
    description:
      'Deletes the saved position of the tap, so that the next sync reads the tap from the start. The table keeps its rows until this read is complete. Then the new rows replace them. A failed or cancelled read changes no row, and the next sync starts the read again. `resetAt` has a value until the read is complete. Fails with 409 while a sync of the tap is open. Also fails with 409 if the tap is not a pulled tap, if an external runner reads the connection, or if the tap feeds the table of another tap.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: { ...changed, resetAt: '2026-02-03T09:30:00.000Z' },
  },
  {
    operation: 'decideHeldRows',
    method: 'post',
    path: '/api/tenant-connector-taps/{id}/held-rows',
    extension: true,
    tag: 'Taps',
    summary: 'Accept or discard held rows',
    description:
      'Accepts or discards the held rows of a tap. If too many records of the table are missing from a full read (check `missing_rate`), the run fails and the service holds the rows of the run. Rows are held if `heldUntil` of the run is in the future. With `accept: true`, the service loads the held rows without another read. In mode `replace`, the held rows then replace all rows of the table. In mode `upsert` or `history`, only the rows of the last step are held. The service merges these rows into the table and deletes the missing records. With `accept: false`, the service discards the held rows, if there are any. With `accept: true`, fails with 409 if no rows are held, or if another job does not finish writing to the table within 10 seconds. Fails with 507 if the rows exceed the storage quota.',
    errorCodes: ['NOT_FOUND', 'CONFLICT', 'STORAGE_QUOTA_EXCEEDED'],
    example: changed,
  },
  {
    operation: 'decideHeldRecords',
    method: 'post',
    path: '/api/tenant-connector-taps/{id}/held-records',
    extension: true,
    tag: 'Taps',
    summary: 'Accept or refuse new columns',
    description:
      'Decides about the records that the service holds because of the drift policy `ask`. `proposedColumns` of the table lists the columns that the records need. With `accept: true`, the table gets the columns and the service loads the records. With `accept: false`, the records become rejects. The service also rejects later records that contain a refused field (`refusedFields`). If no records are held, only creates an audit entry. Fails with 409 if the quality gate of the table rejects the rows, or if another job does not finish writing to the table within 10 seconds. Fails with 507 if the rows exceed the storage quota.',
    errorCodes: ['NOT_FOUND', 'CONFLICT', 'STORAGE_QUOTA_EXCEEDED'],
    example: { ...changed, driftPolicy: 'ask' },
  },
  {
    operation: 'deleteTenantConnectorTap',
    method: 'delete',
    path: '/api/tenant-connector-taps/{id}',
    tag: 'Taps',
    summary: 'Delete a tap',
    description:
      'Removes the tap from all lists, removes its table from the workspace catalog, and revokes its ingest tokens. The rows remain. If the tap was published from a file, this file can then be deleted or published again.',
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
      'Creates a tap from a CSV file with inferred types. The table is named after the tap: `orders`, or `orders_2` if the name is or was in use. A job loads the whole file into the table. `publication` of the tap contains the progress. `promotedAt` of the tap is the time at which all rows became visible together in the workspace catalog. `columns` sets types that differ from the inferred types. Fails with 409 if the file is not a CSV file, is not ready or is already published, or if its latest schema inference has not succeeded. Fails with `WA-AF-031` if the file lacks one of the `columns`, if two items of `columns` have the same `name`, or if a type is incomplete or invalid.',
    errorCodes: ['NOT_FOUND', 'CONFLICT', 'WA-AF-031'],
    example: published,
  },
];
