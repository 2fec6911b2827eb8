import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { Card } from '../../ui/card.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { QueryView } from '../../ui/query-view.js';
import { SearchField } from '../../ui/search-field.js';
import { TimeAgo } from '../../ui/time-ago.js';

const SHOWN_ROWS = 100;

const rejectsQuery = graphql(`
  query Rejects($id: Base62Id!, $limit: Int!) {
    catalogTableRows(id: $id, kind: rejects, limit: $limit)
  }
`);

interface Reject {
  readonly reason: string;
  readonly record: string;
  readonly _batch: string;
  readonly _row: number;
  readonly _received_at: string;
}

const COLUMNS: readonly [Column<Reject>, ...Column<Reject>[]] = [
  { title: 'Reason', className: 'min-w-56 align-top font-normal', cell: ({ reason }) => reason },
  {
    title: 'Record',
    className: 'max-w-md align-top font-mono text-xs break-all',
    cell: ({ record }) => <span className="line-clamp-3">{textOf(record)}</span>,
  },
  {
    title: 'Received',
    className: 'align-top whitespace-nowrap',
    cell: (reject) => <TimeAgo at={reject._received_at} />,
  },
];

interface RejectsProps {
  tableId: string;
  /** Number of rejects in the table, including those that the list does not show. */
  total: number;
  search: string;
  onSearch: (text: string) => void;
}

/** The parent sets `key` to the number of rejects, so React mounts the list again when this number changes. */
export function Rejects({ tableId, total, search, onSearch }: RejectsProps) {
  const [result, reload] = useQuery({
    query: rejectsQuery,
    variables: { id: tableId, limit: SHOWN_ROWS },
    requestPolicy: 'network-only',
  });
  return (
    <Card title={`Rejected records (${total.toLocaleString('en')})`}>
      <div className="px-5 pt-4">
        <SearchField label={searchLabel(total)} value={search} onChange={onSearch} />
      </div>
      <QueryView result={result} onRetry={reload}>
        {({ catalogTableRows }) => {
          const found = ((catalogTableRows ?? []) as unknown as Reject[]).filter((reject) => matches(reject, search));
          if (found.length === 0) return <EmptyState title={`No rejected record contains “${search}”`} />;
          return (
            <DataTable
              columns={COLUMNS}
              rows={found}
              keyOf={({ _batch, _row }) => `${_batch} ${_row}`}
              label="Rejected records"
              hasFixedHeader
            />
          );
        }}
      </QueryView>
    </Card>
  );
}

function searchLabel(total: number): string {
  return total > SHOWN_ROWS ? `Search the newest ${SHOWN_ROWS} rejects` : 'Search rejects';
}

function matches({ reason, record }: Reject, search: string): boolean {
  return `${reason}\n${textOf(record)}`.toLowerCase().includes(search.toLowerCase());
}

function textOf(record: unknown): string {
  return typeof record === 'string' ? record : JSON.stringify(record);
}
