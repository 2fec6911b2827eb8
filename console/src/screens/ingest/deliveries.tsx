import { Badge } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { IngestTap } from './ingest-tap-query.js';

interface Delivery {
  readonly id: string;
  readonly receivedAt: string;
  readonly records: number;
  readonly isWaiting: boolean;
}

const COLUMNS: readonly [Column<Delivery>, ...Column<Delivery>[]] = [
  { title: 'Batch', className: 'font-mono text-xs font-normal', cell: ({ id }) => id },
  { title: 'Received', className: 'whitespace-nowrap', cell: ({ receivedAt }) => <TimeAgo at={receivedAt} /> },
  { title: 'Records', align: 'right', cell: ({ records }) => records.toLocaleString('en') },
  {
    title: 'State',
    cell: ({ isWaiting }) =>
      isWaiting ? <Badge tone="info">Waiting to be loaded</Badge> : <Badge tone="good">Loaded</Badge>,
  },
];

/** Lists the deliveries that the service remembers, and the batches that the table does not contain yet. */
export function Deliveries({ tap }: { tap: IngestTap }) {
  const deliveries = deliveriesOf(tap);
  const waiting = tap.pendingBatchesTotal ?? 0;
  return (
    <Card
      title="Deliveries"
      actions={
        waiting > 0 && <span className="text-sm text-muted">{countOf(waiting, 'batch', 'batches')} waiting</span>
      }
    >
      {deliveries.length === 0 ? (
        <EmptyState title="No recent delivery">
          Send records to the address of a token. Deliveries appear here within seconds. The list shows the 20 newest
          deliveries. A loaded delivery remains in the list while the service ignores repetitions of the delivery: for
          most senders, 10 minutes to one day.
        </EmptyState>
      ) : (
        <DataTable columns={COLUMNS} rows={deliveries} keyOf={({ id }) => id} label="Deliveries" />
      )}
    </Card>
  );
}

function deliveriesOf({ deliveries, pendingBatches }: IngestTap): Delivery[] {
  const waiting = (pendingBatches ?? []).map((batch) => ({ ...batch, isWaiting: true }));
  const remembered = (deliveries ?? []).map((delivery) => ({ ...delivery, isWaiting: false }));
  const unique = new Map([...remembered, ...waiting].map((delivery) => [delivery.id, delivery]));
  return [...unique.values()].sort((a, b) => b.receivedAt.localeCompare(a.receivedAt)).slice(0, 20);
}
