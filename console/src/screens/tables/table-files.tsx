import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { formatBytes } from '../../ui/format-bytes.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { Table } from './table-query.js';

type File = NonNullable<Table['files']>[number];

const COLUMNS: readonly [Column<File>, ...Column<File>[]] = [
  { title: 'File', className: 'min-w-64 font-mono text-xs font-normal break-all', cell: ({ key }) => key },
  { title: 'Kind', cell: ({ kind }) => kind },
  { title: 'Rows', align: 'right', cell: ({ rows }) => rows.toLocaleString('en') },
  { title: 'Size', align: 'right', cell: ({ bytes }) => formatBytes(bytes) },
  { title: 'Written', className: 'whitespace-nowrap', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
];

export function TableFiles({ table: { files } }: { table: Table }) {
  if (!files?.length) return <EmptyState title="This table has no files" />;
  return <DataTable columns={COLUMNS} rows={files} keyOf={({ id }) => id} label="Files" />;
}
