import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { TAP_RUN_STATUSES } from '../sync/tap-run-status.js';
import type { Connection } from './connection-query.js';

type Tap = NonNullable<Connection['taps']>[number];

/** Taps with their last run, rows and freshness; enabled taps first. */
export function TapTable({ taps, workspace }: { taps: readonly Tap[]; workspace: string }) {
  const sorted = [...taps].sort((a, b) => Number(b.enabled) - Number(a.enabled));
  return (
    <Card title={`Taps (${taps.filter(({ enabled }) => enabled).length} of ${taps.length} enabled)`}>
      {taps.length === 0 && <EmptyState title="This connection has no taps" />}
      {taps.length > 0 && (
        <div className="overflow-x-auto">
          <table className="w-full text-left text-sm">
            <thead className="text-xs text-muted">
              <tr>
                <th className="px-5 py-2 font-medium">Tap</th>
                <th className="px-3 py-2 font-medium">Last run</th>
                <th className="px-3 py-2 text-right font-medium">Rows</th>
                <th className="px-5 py-2 font-medium">Received</th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {sorted.map((tap) => (
                <TapRow key={tap.id} tap={tap} workspace={workspace} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

function TapRow({ tap: { name, enabled, mode, table, runs }, workspace }: { tap: Tap; workspace: string }) {
  const run = runs?.[0];
  const status = run && TAP_RUN_STATUSES[run.status];
  return (
    <tr className={enabled ? '' : 'text-muted'}>
      <th scope="row" className="px-5 py-3 font-medium">
        {table ? (
          <Link to="/w/$workspace/tables/$table" params={{ workspace, table: table.id }} className="hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
        {mode && <span className="ml-2 font-normal text-muted">{mode}</span>}
        {run?.errorMessage && <span className="block max-w-md font-normal text-bad">{run.errorMessage}</span>}
      </th>
      <td className="px-3 py-3">
        {!enabled && 'disabled'}
        {enabled && (status ? <Badge tone={status.tone}>{status.label}</Badge> : 'none yet')}
      </td>
      <td className="px-3 py-3 text-right tabular-nums">
        {table ? table.rows.toLocaleString('en') : '–'}
        {Boolean(table?.rejectedRows) && (
          <span className="block text-xs text-bad">{table?.rejectedRows.toLocaleString('en')} rejected</span>
        )}
        {Boolean(table?.heldRecords) && (
          <span className="block text-xs text-warn">{table?.heldRecords.toLocaleString('en')} held</span>
        )}
      </td>
      <td className="px-5 py-3 whitespace-nowrap">
        {table?.lastReceivedAt ? <TimeAgo at={table.lastReceivedAt} /> : '–'}
      </td>
    </tr>
  );
}
