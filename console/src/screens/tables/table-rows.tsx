import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PAGE_SIZE, pageVariables } from '../../ui/list-page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import type { Table } from './table-query.js';
import { tableRoute } from './table-route.js';

type Row = Readonly<Record<string, unknown>>;

/** Later rows have no page, because the service accepts no `offset` over 10,000. */
const MAX_ROWS = 10_000 + PAGE_SIZE;

const rowsQuery = graphql(`
  query Rows($id: Base62Id!, $kind: TableFileKind!, $limit: Int!, $offset: Int!, $version: Int) {
    catalogTableRows(id: $id, kind: $kind, limit: $limit, offset: $offset, version: $version)
  }
`);

const EMPTY_TITLES = { data: 'This table has no rows', rejects: 'No row was rejected' };

/** The rows of the newest file come first. */
export function TableRows({ table, kind }: { table: Table; kind: 'data' | 'rejects' }) {
  const { page = 1 } = tableRoute.useSearch();
  const navigate = tableRoute.useNavigate();
  // All pages after the first come from one version, so that new rows do not shift the pages.
  const variables = { id: table.id, kind, ...pageVariables(page), version: (page > 1 && table.version) || null };
  const [result, reload] = useQuery({ query: rowsQuery, variables });
  const total = Math.min(kind === 'data' ? table.rows : table.rejectedRows, MAX_ROWS);
  return (
    <QueryView result={result} onRetry={reload}>
      {({ catalogTableRows: rows }) => {
        if (!rows?.length) return <EmptyState title={EMPTY_TITLES[kind]} />;
        const [first = '', ...others] = Object.keys(rows[0] as object).sort(systemColumnsLast);
        return (
          <>
            <DataTable
              columns={[columnOf(first), ...others.map(columnOf)]}
              rows={rows as readonly Row[]}
              keyOf={(_, index) => index}
              label="Rows"
              size="xs"
              hasFixedHeader
            />
            <div className="px-5 pb-4">
              <Pager
                page={page}
                total={total}
                onChange={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
              />
            </div>
          </>
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

/** The names of the service's columns start with an underscore. */
function systemColumnsLast(one: string, other: string): number {
  return Number(one.startsWith('_')) - Number(other.startsWith('_'));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
