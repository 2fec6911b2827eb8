import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { Table } from './table-query.js';

type Version = NonNullable<Table['versions']>[number];

const COLUMNS: readonly [Column<Version>, ...Column<Version>[]] = [
  { title: 'Version', cell: ({ number }) => number },
  { title: 'Cause', cell: ({ cause }) => cause },
  { title: 'Rows', align: 'right', cell: ({ rows }) => rows.toLocaleString('en') },
  { title: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  {
    title: 'Readable until',
    cell: ({ readableUntil }) => (readableUntil ? <TimeAgo at={readableUntil} /> : 'no limit (current version)'),
  },
];

export function TableVersions({ table: { versions } }: { table: Table }) {
  if (!versions?.length) return <EmptyState title="This table has no versions yet" />;
  return <DataTable columns={COLUMNS} rows={versions} keyOf={({ id }) => id} label="Versions" />;
}
