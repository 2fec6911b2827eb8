import type { Table } from './table-screen.js';

interface Field {
  name: string;
  type: string;
}

export function TableColumns({ table }: { table: Table }) {
  const { fields = [] } = table.schema as { fields?: Field[] };
  return (
    <table className="w-full text-left text-sm">
      <thead className="text-xs text-muted">
        <tr>
          <th className="px-5 py-2 font-medium">Column</th>
          <th className="px-3 py-2 font-medium">Type</th>
          <th className="px-5 py-2 font-medium">Added</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {fields.map(({ name, type }) => (
          <tr key={name}>
            <th scope="row" className="px-5 py-2 font-mono font-normal">
              {name}
            </th>
            <td className="px-3 py-2">{type}</td>
            <td className="px-5 py-2 text-muted">{versionThatAdded(table, name)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function versionThatAdded({ versions }: Table, column: string): string {
  const version = versions?.find(({ addedColumns }) => addedColumns?.some(({ name }) => name === column));
  return version ? `version ${version.number}` : 'with the table';
}
