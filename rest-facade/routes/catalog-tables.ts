import type { Route } from './route.js';

const file = {
  id: '1dF5gH8jGdzWEdU4iLuxYp',
  key: 'tables/5f0c1d9e-7a52-4a30-9d1c-0b1f6f3f8a11/9b2e4c77-31f0-4f0e-8a43-6d2f7c1b5e90/data/2c7d8e15-6b0a-4d3f-9a68-1e5f4b3c2d10.parquet',
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
  rows: 412,
  bytes: 18733,
  fileCount: 1,
  rejectedRows: 0,
  firstReceivedAt: '2026-01-31T12:00:03.000Z',
  lastReceivedAt: '2026-01-31T12:00:03.000Z',
  freshnessSeconds: 60,
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
    summary: 'Tables of the workspace catalog',
    description:
      'One for each tap that has brought rows, the oldest first. A table comes in with its first rows and leaves with its tap.',
    example: { items: [table], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'catalogTable',
    method: 'get',
    path: '/api/catalog/tables/{id}',
    extension: true,
    tag: 'Tables',
    summary: 'One table',
    description:
      'The table with its columns and its 1,000 newest files. `freshnessSeconds` says how long ago the latest of its rows came in.',
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
    summary: 'Files of a table',
    description:
      'The Parquet files that the table consists of, the newest first: those with rows (`data`) and those with rows that did not fit (`rejects`). `key` is their place below the address of the file store, where other programs may read them.',
    errorCodes: ['NOT_FOUND'],
    example: { items: [file], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'catalogTableRows',
    method: 'get',
    path: '/api/catalog/tables/{id}/rows',
    extension: true,
    tag: 'Tables',
    summary: 'Rows of a table',
    description:
      'Up to 100 rows of the newest files, in the order of each file; with `kind=rejects`, rows that did not fit, as they came and with the reason. A value for each column, null where there is none, and where the row came from: `_batch`, `_row` and `_received_at`. Integers beyond 2^53 and decimals are texts, times are texts in ISO 8601. Fewer rows where they have more than 4 MiB.',
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
