import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { TAP_RUN_STATUSES } from '../sync/tap-run-status.js';
import type { Connection } from './connection-query.js';

type Tap = NonNullable<Connection['taps']>[number];

/** Enabled taps come first. */
export function TapTable({ taps, workspace }: { taps: readonly Tap[]; workspace: string }) {
  const sorted = [...taps].sort((a, b) => Number(b.enabled) - Number(a.enabled));
  return (
    <Card title={`Taps (${taps.filter(({ enabled }) => enabled).length} of ${taps.length} enabled)`}>
      {taps.length === 0 && <EmptyState title="This connection has no taps" />}
      {taps.length > 0 && (
        <DataTable
          columns={[
            { title: 'Tap', cell: (tap) => <TapName tap={tap} workspace={workspace} /> },
            { title: 'Last run', cell: (tap) => <LastRun tap={tap} /> },
            { title: 'Rows', align: 'right', cell: ({ table }) => (table ? <Rows table={table} /> : '–') },
            {
              title: 'Received',
              className: 'whitespace-nowrap',
              cell: ({ table }) => (table?.lastReceivedAt ? <TimeAgo at={table.lastReceivedAt} /> : '–'),
            },
          ]}
          rows={sorted}
          keyOf={({ id }) => id}
          label="Taps"
        />
      )}
    </Card>
  );
}

function TapName({ tap: { name, enabled, mode, table, runs }, workspace }: { tap: Tap; workspace: string }) {
  const run = runs?.[0];
  return (
    <span className={enabled ? '' : 'text-muted'}>
      {table ? (
        <Link to="/w/$workspace/tables/$table" params={{ workspace, table: table.id }} className="hover:underline">
          {name}
        </Link>
      ) : (
        name
      )}
      {mode && <span className="ml-2 font-normal text-muted">{mode}</span>}
      {run?.errorMessage && <span className="block max-w-md font-normal text-bad">{run.errorMessage}</span>}
    </span>
  );
}

function LastRun({ tap: { enabled, runs } }: { tap: Tap }) {
  if (!enabled) return <span className="text-muted">disabled</span>;
  const status = runs?.[0] && TAP_RUN_STATUSES[runs[0].status];
  return status ? <Badge tone={status.tone}>{status.label}</Badge> : 'none yet';
}

function Rows({ table: { rows, rejectedRows, heldRecords } }: { table: NonNullable<Tap['table']> }) {
  return (
    <>
      {rows.toLocaleString('en')}
      {Boolean(rejectedRows) && (
        <span className="block text-xs text-bad">{rejectedRows.toLocaleString('en')} rejected</span>
      )}
      {Boolean(heldRecords) && <span className="block text-xs text-warn">{heldRecords.toLocaleString('en')} held</span>}
    </>
  );
}
