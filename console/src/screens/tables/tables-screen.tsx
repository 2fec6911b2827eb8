import { getRouteApi, Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import type { TablesQuery } from '../../gql/graphql.js';
import { Card } from '../../ui/card.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { formatBytes } from '../../ui/format-bytes.js';
import { pageVariables } from '../../ui/list-page.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import { SearchField } from '../../ui/search-field.js';
import { TimeAgo } from '../../ui/time-ago.js';

const tablesRoute = getRouteApi('/w/$workspace/tables');

const tablesQuery = graphql(`
  query Tables($filter: CatalogTableFilter, $limit: Int!, $offset: Int!) {
    catalogTables(filter: $filter, limit: $limit, offset: $offset, orderBy: LAST_RECEIVED_AT_DESC) {
      total
      items {
        id
        name
        rows
        bytes
        rejectedRows
        heldRecords
        lastReceivedAt
      }
    }
  }
`);

type Table = NonNullable<TablesQuery['catalogTables']>['items'][number];

export function TablesScreen() {
  const { workspace } = tablesRoute.useParams();
  const { name, page = 1 } = tablesRoute.useSearch();
  const navigate = tablesRoute.useNavigate();
  const variables = { filter: name ? { name } : null, ...pageVariables(page) };
  const [result, reload] = useQuery({ query: tablesQuery, variables });
  return (
    <Page
      title="Tables"
      lead="Rows of syncs, published files and pushed records. The table with the newest rows comes first."
    >
      <SearchField
        label="Search by name"
        value={name ?? ''}
        onChange={(text) => navigate({ search: text ? { name: text } : {}, replace: true })}
      />
      <QueryView result={result} onRetry={reload}>
        {({ catalogTables: list }) =>
          list?.items.length ? (
            <>
              <Card>
                <DataTable columns={columnsOf(workspace)} rows={list.items} keyOf={({ id }) => id} label="Tables" />
              </Card>
              <Pager
                page={page}
                total={list.total}
                onChange={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
              />
            </>
          ) : (
            <NoTables name={name} />
          )
        }
      </QueryView>
    </Page>
  );
}

function NoTables({ name }: { name: string | undefined }) {
  if (name) return <EmptyState title={`No table has “${name}” in its name`} />;
  return (
    <EmptyState title="No tables yet">
      The first sync of a connection creates its tables. Publishing a file creates a table too.
    </EmptyState>
  );
}

function columnsOf(workspace: string): readonly [Column<Table>, ...Column<Table>[]] {
  const linkOf = (table: string) => ({ to: '/w/$workspace/tables/$table', params: { workspace, table } }) as const;
  return [
    {
      title: 'Table',
      cell: ({ id, name }) => (
        <Link {...linkOf(id)} className="hover:underline">
          {name}
        </Link>
      ),
    },
    { title: 'Rows', align: 'right', cell: ({ rows }) => rows.toLocaleString('en') },
    {
      title: 'Rejected',
      align: 'right',
      cell: ({ id, rejectedRows }) => (
        <Link {...linkOf(id)} search={{ tab: 'rejects' }} className="hover:underline">
          <Count count={rejectedRows} className="text-bad" />
        </Link>
      ),
    },
    {
      title: 'Held',
      align: 'right',
      cell: ({ heldRecords }) => <Count count={heldRecords} className="text-warn" />,
    },
    { title: 'Size', align: 'right', cell: ({ bytes }) => formatBytes(bytes) },
    {
      title: 'Received',
      className: 'whitespace-nowrap',
      cell: ({ lastReceivedAt: at }) => (at ? <TimeAgo at={at} /> : '–'),
    },
  ];
}

function Count({ count, className }: { count: number; className: string }) {
  return <span className={count > 0 ? className : ''}>{count.toLocaleString('en')}</span>;
}
