import { Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { tablesRoute } from '../../app/router.js';
import { graphql } from '../../gql/gql.js';
import { Card } from '../../ui/card.js';
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
                <div className="overflow-x-auto">
                  <table className="w-full text-left text-sm">
                    <thead className="text-xs text-muted">
                      <tr>
                        <th className="px-5 py-2 font-medium">Table</th>
                        <th className="px-3 py-2 text-right font-medium">Rows</th>
                        <th className="px-3 py-2 text-right font-medium">Rejected</th>
                        <th className="px-3 py-2 text-right font-medium">Held</th>
                        <th className="px-3 py-2 text-right font-medium">Size</th>
                        <th className="px-5 py-2 font-medium">Received</th>
                      </tr>
                    </thead>
                    <tbody className="divide-y divide-line tabular-nums">
                      {list.items.map((table) => (
                        <tr key={table.id}>
                          <th scope="row" className="px-5 py-3 font-medium">
                            <Link
                              to="/w/$workspace/tables/$table"
                              params={{ workspace, table: table.id }}
                              className="hover:underline"
                            >
                              {table.name}
                            </Link>
                          </th>
                          <td className="px-3 py-3 text-right">{table.rows.toLocaleString('en')}</td>
                          <td className={table.rejectedRows ? 'px-3 py-3 text-right text-bad' : 'px-3 py-3 text-right'}>
                            {table.rejectedRows.toLocaleString('en')}
                          </td>
                          <td className={table.heldRecords ? 'px-3 py-3 text-right text-warn' : 'px-3 py-3 text-right'}>
                            {table.heldRecords.toLocaleString('en')}
                          </td>
                          <td className="px-3 py-3 text-right">{formatBytes(table.bytes)}</td>
                          <td className="px-5 py-3 whitespace-nowrap">
                            {table.lastReceivedAt ? <TimeAgo at={table.lastReceivedAt} /> : '–'}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
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
