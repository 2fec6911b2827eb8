import { getRouteApi, Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useLiveRefresh } from '../../api/use-live-refresh.js';
import { graphql } from '../../gql/gql.js';
import type { HomeQuery } from '../../gql/graphql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { VendorMark } from '../../ui/vendor-mark.js';
import { ConnectionAction } from '../connections/connection-action.js';
import { connectionChanged } from '../connections/connection-changed.js';
import { ATTENTION_STATUSES } from '../connections/connection-status.js';
import { StatusBadge } from '../connections/status-badge.js';
import { SyncRow } from '../connections/sync-row.js';

const workspaceRoute = getRouteApi('/w/$workspace');

const homeQuery = graphql(`
  query Home($today: DateTime!, $statuses: [TenantConnectorStatus!]!) {
    first: tenantConnectorInstances(limit: 1) {
      items {
        id
      }
    }
    attention: tenantConnectorInstances(
      filter: { connectionStatus: $statuses }
      limit: 20
      orderBy: UPDATED_AT_DESC
    ) {
      total
      items {
        ...AttentionConnection
      }
    }
    syncJobs(filter: { createdAt: { from: $today } }, limit: 10, orderBy: CREATED_AT_DESC) {
      total
      items {
        id
        status
        createdAt
        recordsWritten
        recordsRejected
        instance {
          id
          name
          connector {
            id
            name
          }
        }
      }
    }
  }

  fragment AttentionConnection on TenantConnectorInstance {
    id
    name
    connectionStatus
    connectionStatusMessage
    grouping {
      id
    }
    connector {
      id
      name
      vendor {
        id
        name
        slug
        logo
      }
    }
  }
`);

export function HomeScreen() {
  const { workspace } = workspaceRoute.useParams();
  const today = useMemo(() => new Date(new Date().setHours(0, 0, 0, 0)).toISOString(), []);
  const [result, reload] = useQuery({ query: homeQuery, variables: { today, statuses: ATTENTION_STATUSES } });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  useLiveRefresh(connectionChanged, {}, refresh);
  return (
    <Page title="Home" lead="Connections that need attention, and the syncs of today.">
      <QueryView result={result} onRetry={refresh}>
        {(data) =>
          data.first?.items.length === 0 ? (
            <FirstSteps workspace={workspace} />
          ) : (
            <div className="space-y-6">
              <Attention data={data} workspace={workspace} />
              <Today data={data} workspace={workspace} />
            </div>
          )
        }
      </QueryView>
    </Page>
  );
}

function FirstSteps({ workspace }: { workspace: string }) {
  const canConnect = useIsAllowed('connectors:write');
  return (
    <Card>
      <EmptyState
        title="Connect your first vendor"
        action={
          <Link to="/w/$workspace/catalog" params={{ workspace }} className={buttonClasses('primary')}>
            {canConnect ? 'Choose a vendor' : 'See the catalog'}
          </Link>
        }
      >
        {canConnect
          ? 'Choose a vendor and enter your credentials. The service tests them, and the first sync fills the tables.'
          : 'A user with the permission connectors:write can connect a vendor. The first sync then fills the tables.'}
      </EmptyState>
    </Card>
  );
}

function Attention({ data, workspace }: { data: HomeQuery; workspace: string }) {
  const waiting = data.attention?.items ?? [];
  const total = data.attention?.total ?? 0;
  return (
    <Card title={total ? `Needs attention (${total.toLocaleString('en')})` : 'Needs attention'}>
      {waiting.length === 0 ? (
        <p className="flex items-center gap-2 px-5 py-5 text-sm text-muted">
          <CircleCheck aria-hidden className="size-5 text-good" /> No connection needs attention.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {waiting.map((connection) => (
            <li key={connection.id} className="flex flex-wrap items-center gap-3 px-5 py-3 sm:flex-nowrap">
              <VendorMark vendor={connection.connector.vendor} />
              <Link
                to="/w/$workspace/connections/$connection"
                params={{ workspace, connection: connection.id }}
                className="min-w-48 flex-1 sm:min-w-0"
              >
                <span className="block truncate font-medium">{connection.name ?? connection.connector.name}</span>
                <span className="block truncate text-sm text-muted">{connection.connectionStatusMessage}</span>
              </Link>
              <StatusBadge status={connection.connectionStatus} />
              <ConnectionAction connection={connection} workspace={workspace} />
            </li>
          ))}
        </ul>
      )}
      {total > waiting.length && (
        <Link
          to="/w/$workspace/connections"
          params={{ workspace }}
          search={{ status: 'attention' }}
          className="block border-t border-line px-5 py-3 text-sm text-accent hover:underline"
        >
          Show all {total.toLocaleString('en')}
        </Link>
      )}
    </Card>
  );
}

function Today({ data, workspace }: { data: HomeQuery; workspace: string }) {
  const jobs = data.syncJobs?.items ?? [];
  const others = (data.syncJobs?.total ?? 0) - jobs.length;
  return (
    <Card title="Syncs today">
      {jobs.length === 0 && <p className="px-5 py-5 text-sm text-muted">No sync has started today.</p>}
      <ul className="divide-y divide-line">
        {jobs.map((sync) => (
          <SyncRow key={sync.id} sync={sync}>
            {sync.instance && (
              <Link
                to="/w/$workspace/connections/$connection"
                params={{ workspace, connection: sync.instance.id }}
                className="font-medium hover:underline"
              >
                {sync.instance.name ?? sync.instance.connector.name}
              </Link>
            )}
            <span className="text-muted">{countOf(sync.recordsWritten ?? 0, 'record')}</span>
          </SyncRow>
        ))}
      </ul>
      {others > 0 && <p className="border-t border-line px-5 py-3 text-sm text-muted">and {others} more today</p>}
    </Card>
  );
}
