import type { Route } from './route.js';

const file = {
  id: '1dF5gH8jGdzWEdU4iLuxYp',
  key: 'tables/5f0c1d9e-7a52-4a30-9d1c-0b1f6f3f8a11/9b2e4c77-31f0-4f0e-8a43-6d2f7c1b5e90/data/2c7d8e15-6b0a-4d3f-9a68-1e5f4b3c2d10.parquet',
  url: 's3://acme-data/taproot/tables/5f0c1d9e-7a52-4a30-9d1c-0b1f6f3f8a11/9b2e4c77-31f0-4f0e-8a43-6d2f7c1b5e90/data/2c7d8e15-6b0a-4d3f-9a68-1e5f4b3c2d10.parquet',
  kind: 'data',
  rows: 412,
  bytes: 18733,
  schemaVersion: 1,
  firstReceivedAt: '2026-01-31T12:00:03.000Z',
  lastReceivedAt: '2026-01-31T12:00:03.000Z',
  createdAt: '2026-01-31T12:00:05.000Z',
};

const table = {
  id: '3rT6yU9iMuZCoDM3GV1Sy2',
  createdAt: '2026-01-31T12:00:00.000Z',
  createdBy: '2vMb1qUYpXl5LQ4Q8mB808',
  updatedAt: '2026-01-31T12:00:05.000Z',
  updatedBy: '2vMb1qUYpXl5LQ4Q8mB808',
  name: 'orders',
  tap: { id: '2wE5rT8yS8cJRbmehUGf2t', name: 'Orders' },
  schema: {
    fields: [
      { name: 'order_id', type: 'Integer' },
      { name: 'ordered_on', type: 'Date' },
    ],
  },
  schemaVersion: 1,
  version: 1,
  rows: 412,
  bytes: 18733,
  fileCount: 1,
  rejectedRows: 0,
  heldRecords: 0,
  mergedBy: 'service',
  firstReceivedAt: '2026-01-31T12:00:03.000Z',
  lastReceivedAt: '2026-01-31T12:00:03.000Z',
  freshnessSeconds: 60,
};

const version = {
  id: '4iUUDzD2nc8u3A35GP7Tm5',
  number: 12,
  createdAt: '2026-01-31T12:00:05.000Z',
  readableUntil: '2026-01-31T19:00:00.000Z',
  cause: 'sync',
  tapRunId: '6bN3kX9wNtf9Lf0YzW2th2',
  rows: 412,
  bytes: 18733,
  schemaVersion: 2,
};

const MISSING = 'The workspace catalog has no table with this id.';

export const catalogTableRoutes: readonly Route[] = [
  {
    operation: 'catalogTables',
    method: 'get',
    path: '/api/catalog/tables',
    extension: true,
    paged: true,
    tag: 'Tables',
    summary: 'List tables',
    description:
      'Tables of the workspace catalog, oldest first. A tap has a table after the service has loaded or rejected the first rows of the tap, unless the tap feeds the table of another tap. When a tap is deleted, the service removes its table from the workspace catalog.',
    example: { items: [table], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'catalogTable',
    method: 'get',
    path: '/api/catalog/tables/{id}',
    extension: true,
    tag: 'Tables',
    summary: 'Get a table',
    description:
      'The table with its columns and its 1,000 newest files. `freshnessSeconds` is the number of seconds since the service received the newest row of the table.',
    notFoundMessage: MISSING,
    example: { ...table, files: [file] },
  },
  {
    operation: 'catalogTableFiles',
    method: 'get',
    path: '/api/catalog/tables/{id}/files',
    extension: true,
    paged: true,
    tag: 'Tables',
    summary: 'List the files of a table',
    description:
      'Parquet files of the table, newest first: accepted rows (`data`), rejected rows (`rejects`), held records (`held`), keys of deleted records (`deletes`) and keys of records whose latest version has the same values as the previous version (`unchanged`). `key` is the path of a file in the file store. Other programs can read the file at this path. A file has a `url` only if the file store is a bucket. `version` (a number) or `asOf` (a time) selects an earlier version of the table. The response is 404 if that version was removed or never existed. To read several pages of the same version, send the same `version` with each request.',
    errorCodes: ['NOT_FOUND'],
    example: { items: [file], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'catalogTableVersions',
    method: 'get',
    path: '/api/catalog/tables/{id}/versions',
    extension: true,
    paged: true,
    tag: 'Tables',
    summary: 'List the versions of a table',
    description:
      'Versions that can be read, newest first. Each commit of rows or columns creates a version. `readableUntil` is the time until which a replaced version can be read. The current version has no such limit. `cause` is the kind of change that created the version.',
    errorCodes: ['NOT_FOUND'],
    example: { items: [version], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'catalogTableSchemaChanges',
    method: 'get',
    path: '/api/catalog/tables/{id}/schema-changes',
    extension: true,
    paged: true,
    tag: 'Tables',
    summary: 'List the changes to the columns of a table',
    description:
      'Versions that changed the columns, newest first, with the columns that each of them added or changed. The list includes versions that can no longer be read.',
    errorCodes: ['NOT_FOUND'],
    example: {
      items: [{ ...version, addedColumns: [{ name: 'discount', type: 'Decimal', scale: 2 }], changedTypes: [] }],
      ...{ limit: 50, offset: 0, total: 1 },
    },
  },
  {
    operation: 'catalogTableRows',
    method: 'get',
    path: '/api/catalog/tables/{id}/rows',
    extension: true,
    tag: 'Tables',
    summary: 'Read rows of a table',
    description:
      'Up to 100 rows, starting with the newest file. `offset` skips up to 10,000 rows. To read several pages of the same version, send the same `version` with each request. `kind=rejects` returns rejected rows as received, with the reason. `kind=held` returns records that wait for a decision about new columns. `kind=deletes` returns keys and version times of deleted records. `kind=unchanged` returns, in mode `history`, keys and version times of records whose latest version has the same values as the previous version. Each row has a value for every column (null if missing) and its origin: `_batch`, `_row` and `_received_at`. Decimals, and integers beyond ±(2^53 - 1), are strings. Inside the values of JSON columns, numbers that a double cannot represent exactly are strings, too. Times are ISO 8601 strings. `version` (a number) or `asOf` (a time) selects an earlier version of the table. The response is 404 if that version was removed or never existed. The response has fewer rows than `limit` if the rows would exceed 4 MiB. For the next page, increase `offset` by the number of returned rows.',
    errorCodes: ['NOT_FOUND'],
    example: [
      {
        _batch: '0d7c2a51-4c7e-4f3b-8a19-5e2d6b9f1c34',
        _row: 1,
        _received_at: '2026-01-31T12:00:03Z',
        order_id: 1001,
        ordered_on: '2026-01-30',
      },
    ],
  },
];
