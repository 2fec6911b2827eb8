import { getRouteApi, Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { pageVariables } from '../../ui/list-page.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import { SearchField } from '../../ui/search-field.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { VendorMark } from '../../ui/vendor-mark.js';
import { STATUS_GROUPS, type StatusGroup } from './connection-status.js';
import { StatusBadge } from './status-badge.js';

const connectionsRoute = getRouteApi('/w/$workspace/connections');

const connectionsQuery = graphql(`
  query Connections($filter: TenantConnectorInstanceFilter, $limit: Int!, $offset: Int!) {
    tenantConnectorInstances(filter: $filter, limit: $limit, offset: $offset, orderBy: UPDATED_AT_DESC) {
      total
      items {
        id
        name
        connectionStatus
        connectionStatusMessage
        lastSyncAt
        tapsTotal(filter: { enabled: true })
        connector {
          id
          name
          vendor {
            id
            name
            logo
          }
        }
      }
    }
  }
`);

export function ConnectionsScreen() {
  const { workspace } = connectionsRoute.useParams();
  const { name, status, page = 1 } = connectionsRoute.useSearch();
  const navigate = connectionsRoute.useNavigate();
  const canConnect = useIsAllowed('connectors:write');
  const filter = {
    ...(name && { name }),
    ...(status && { connectionStatus: [...STATUS_GROUPS[status].statuses] }),
  };
  const variables = { filter, ...pageVariables(page) };
  const [result, reload] = useQuery({ query: connectionsQuery, variables });
  const connect = canConnect && (
    <Link to="/w/$workspace/catalog" params={{ workspace }} className={buttonClasses('primary')}>
      Connect a vendor
    </Link>
  );
  return (
    <Page title="Connections" lead="Connectors that this workspace has configured." actions={connect}>
      <div className="flex flex-wrap items-start gap-3">
        <SearchField
          label="Search by name"
          value={name ?? ''}
          onChange={(text) => navigate({ search: { ...(text && { name: text }), status }, replace: true })}
        />
        <select
          aria-label="Status"
          value={status ?? ''}
          onChange={({ target }) =>
            navigate({
              search: { name, status: (target.value || undefined) as StatusGroup | undefined },
              replace: true,
            })
          }
          className="mb-5 rounded-lg border border-line bg-surface px-3 py-2 text-sm"
        >
          <option value="">All statuses</option>
          {Object.entries(STATUS_GROUPS).map(([key, { label }]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <QueryView result={result} onRetry={reload}>
        {({ tenantConnectorInstances: list }) =>
          !list || list.items.length === 0 ? (
            <EmptyState
              title={name || status ? 'No connection matches the filters' : 'No connections yet'}
              action={connect}
            >
              {!name && !status && 'Choose a vendor and enter your credentials. The first sync then starts.'}
            </EmptyState>
          ) : (
            <>
              <Card>
                <ul className="divide-y divide-line">
                  {list.items.map((connection) => (
                    <li key={connection.id}>
                      <Link
                        to="/w/$workspace/connections/$connection"
                        params={{ workspace, connection: connection.id }}
                        className="flex flex-wrap items-center gap-4 px-5 py-4 hover:bg-sunken sm:flex-nowrap"
                      >
                        <VendorMark vendor={connection.connector.vendor} />
                        <span className="min-w-0 flex-1">
                          <span className="block truncate font-medium">
                            {connection.name ?? connection.connector.name}
                          </span>
                          <span className="block truncate text-sm text-muted">
                            {connection.connectionStatusMessage}
                          </span>
                        </span>
                        <span className="hidden text-sm whitespace-nowrap text-muted md:block">
                          {connection.lastSyncAt ? <TimeAgo at={connection.lastSyncAt} /> : 'never synced'}
                        </span>
                        <StatusBadge status={connection.connectionStatus} />
                      </Link>
                    </li>
                  ))}
                </ul>
              </Card>
              <Pager
                page={page}
                total={list.total}
                onChange={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
              />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}
