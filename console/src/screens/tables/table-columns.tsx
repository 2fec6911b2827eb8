import { DataTable } from '../../ui/data-table.js';
import type { Table } from './table-query.js';

interface Field {
  name: string;
  type: string;
  unit?: string;
}

export function TableColumns({ table }: { table: Table }) {
  const { fields = [] } = table.schema as { fields?: Field[] };
  return (
    <DataTable
      columns={[
        { title: 'Column', className: 'font-mono font-normal', cell: ({ name }) => name },
        { title: 'Type', cell: ({ type, unit }) => (unit ? `${type} (${unit})` : type) },
        { title: 'Added', className: 'text-muted', cell: ({ name }) => versionThatAdded(table, name) },
      ]}
      rows={fields}
      keyOf={({ name }) => name}
      label="Columns"
    />
  );
}

function versionThatAdded({ versions }: Table, column: string): string {
  const version = versions?.find(({ addedColumns }) => addedColumns?.some(({ name }) => name === column));
  return version ? `version ${version.number}` : 'with the table';
}
