import { Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { tablesRoute } from '../../app/router.js';
import { graphql } from '../../gql/gql.js';
import { Card } from '../../ui/card.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { formatBytes } from '../../ui/format-bytes.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import { TimeAgo } from '../../ui/time-ago.js';

const PAGE_SIZE = 50;

const tablesQuery = graphql(`
  query Tables($limit: Int!, $offset: Int!) {
    catalogTables(limit: $limit, offset: $offset, orderBy: LAST_RECEIVED_AT_DESC) {
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

export function TablesScreen() {
  const { workspace } = tablesRoute.useParams();
  const { page = 1 } = tablesRoute.useSearch();
  const navigate = tablesRoute.useNavigate();
  const variables = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  const [result, reload] = useQuery({ query: tablesQuery, variables });
  return (
    <Page title="Tables" lead="What syncs, files and pushed records loaded, newest first.">
      <QueryView result={result} onRetry={reload}>
        {({ catalogTables: list }) =>
          !list || list.items.length === 0 ? (
            <EmptyState title="No tables yet">
              The first sync of a connection creates its tables. Publishing a file creates a table too.
            </EmptyState>
          ) : (
            <>
              <Card>
                <DataTable
                  columns={[
                    { title: 'Table', cell: (table) => <TableLink table={table} workspace={workspace} /> },
                    { title: 'Rows', align: 'right', cell: ({ rows }) => rows.toLocaleString('en') },
                    {
                      title: 'Rejected',
                      align: 'right',
                      cell: ({ id, rejectedRows }) => (
                        <Link
                          to="/w/$workspace/tables/$table"
                          params={{ workspace, table: id }}
                          search={{ tab: 'rejects' }}
                          className="hover:underline"
                        >
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
                  ]}
                  rows={list.items}
                  keyOf={({ id }) => id}
                  label="Tables"
                />
              </Card>
              <Pager
                page={page}
                pages={Math.ceil(list.total / PAGE_SIZE)}
                onChange={(next) => navigate({ search: { page: next } })}
              />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function TableLink({ table: { id, name }, workspace }: { table: { id: string; name: string }; workspace: string }) {
  return (
    <Link to="/w/$workspace/tables/$table" params={{ workspace, table: id }} className="hover:underline">
      {name}
    </Link>
  );
}

/** Shows a count, in color unless it is 0. */
function Count({ count, className }: { count: number; className: string }) {
  return <span className={count > 0 ? className : ''}>{count.toLocaleString('en')}</span>;
}
