import { EmptyState } from '../../ui/empty-state.js';
import { formatBytes } from '../../ui/format-bytes.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { Table } from './table-screen.js';

/** The newest files. */
export function TableFiles({ table: { files } }: { table: Table }) {
  if (!files?.length) return <EmptyState title="This table has no files" />;
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead className="text-xs text-muted">
          <tr>
            <th className="px-5 py-2 font-medium">File</th>
            <th className="px-3 py-2 font-medium">Kind</th>
            <th className="px-3 py-2 text-right font-medium">Rows</th>
            <th className="px-3 py-2 text-right font-medium">Size</th>
            <th className="px-5 py-2 font-medium">Written</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {files.map(({ id, key, kind, rows, bytes, createdAt }) => (
            <tr key={id}>
              <th scope="row" className="px-5 py-2 font-mono text-xs font-normal break-all">
                {key}
              </th>
              <td className="px-3 py-2">{kind}</td>
              <td className="px-3 py-2 text-right tabular-nums">{rows.toLocaleString('en')}</td>
              <td className="px-3 py-2 text-right whitespace-nowrap tabular-nums">{formatBytes(bytes)}</td>
              <td className="px-5 py-2 whitespace-nowrap">
                <TimeAgo at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
