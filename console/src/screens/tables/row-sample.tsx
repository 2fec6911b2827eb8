import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { QueryView } from '../../ui/query-view.js';

type Row = Readonly<Record<string, unknown>>;

const SAMPLE_ROWS = 50;

const rowsQuery = graphql(`
  query Rows($id: Base62Id!, $kind: TableFileKind!, $limit: Int!) {
    catalogTableRows(id: $id, kind: $kind, limit: $limit)
  }
`);

const EMPTY_TITLES = { data: 'This table has no rows', rejects: 'No row was rejected' };

/** Rows of the newest files. */
export function RowSample({ tableId, kind }: { tableId: string; kind: 'data' | 'rejects' }) {
  const [result, reload] = useQuery({ query: rowsQuery, variables: { id: tableId, kind, limit: SAMPLE_ROWS } });
  return (
    <QueryView result={result} onRetry={reload}>
      {({ catalogTableRows: rows }) => {
        if (!rows?.length) return <EmptyState title={EMPTY_TITLES[kind]} />;
        const [first = '', ...others] = Object.keys(rows[0] as object).sort(systemColumnsLast);
        return (
          <DataTable
            columns={[columnOf(first), ...others.map(columnOf)]}
            rows={rows as readonly Row[]}
            keyOf={(_, index) => index}
            label="Rows"
            size="xs"
            hasFixedHeader
          />
        );
      }}
    </QueryView>
  );
}

function columnOf(title: string): Column<Row> {
  const cell = (row: Row) => {
    const text = textOf(row[title]);
    return (
      <span className="block max-w-xs truncate" title={text}>
        {text}
      </span>
    );
  };
  return { title, className: 'font-mono font-normal', cell };
}

/** The service adds columns whose names start with an underscore. */
function systemColumnsLast(one: string, other: string): number {
  return Number(one.startsWith('_')) - Number(other.startsWith('_'));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
