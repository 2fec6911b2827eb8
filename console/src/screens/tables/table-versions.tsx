import { EmptyState } from '../../ui/empty-state.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { Table } from './table-screen.js';

/** The newest versions, with what caused them and how long they can be read. */
export function TableVersions({ table: { versions } }: { table: Table }) {
  if (!versions?.length) return <EmptyState title="This table has no versions yet" />;
  return (
    <table className="w-full text-left text-sm">
      <thead className="text-xs text-muted">
        <tr>
          <th className="px-5 py-2 font-medium">Version</th>
          <th className="px-3 py-2 font-medium">Cause</th>
          <th className="px-3 py-2 text-right font-medium">Rows</th>
          <th className="px-3 py-2 font-medium">Created</th>
          <th className="px-5 py-2 font-medium">Readable until</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {versions.map(({ id, number, cause, rows, createdAt, readableUntil }) => (
          <tr key={id}>
            <th scope="row" className="px-5 py-2 font-medium">
              {number}
            </th>
            <td className="px-3 py-2">{cause}</td>
            <td className="px-3 py-2 text-right tabular-nums">{rows.toLocaleString('en')}</td>
            <td className="px-3 py-2">
              <TimeAgo at={createdAt} />
            </td>
            <td className="px-5 py-2">{readableUntil ? <TimeAgo at={readableUntil} /> : 'it is replaced'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
