import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useLiveRefresh } from '../../api/use-live-refresh.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { VendorMark } from '../../ui/vendor-mark.js';
import { CredentialTest } from '../connect/credential-test.js';
import { ConnectionAction } from './connection-action.js';
import { connectionChanged } from './connection-changed.js';
import { ConnectionControls } from './connection-controls.js';
import { type Connection, connectionQuery } from './connection-query.js';
import { CredentialHistory } from './credential-history.js';
import { RecentSyncs } from './recent-syncs.js';
import { ScheduleCard } from './schedule-card.js';
import { StatusBadge } from './status-badge.js';
import { SyncStrip } from './sync-strip.js';
import { TapTable } from './tap-table.js';

const connectionRoute = getRouteApi('/w/$workspace/connections/$connection');

const STRIP_DAYS = 30;

export function ConnectionScreen() {
  const { workspace, connection: id } = connectionRoute.useParams();
  const readsSyncs = useIsAllowed('syncs:read');
  const readsTables = useIsAllowed('catalog:read');
  const readsCredentials = useIsAllowed('credentials:read');
  const from = useMemo(() => new Date(Date.now() - STRIP_DAYS * 86_400_000).toISOString(), []);
  const [result, reload] = useQuery({
    query: connectionQuery,
    variables: { id, from, readsSyncs, readsTables, readsCredentials },
  });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  useLiveRefresh(connectionChanged, { id }, refresh);
  const connection = result.data?.tenantConnectorInstance;
  const name = connection ? (connection.name ?? connection.connector.name) : 'Connection';
  return (
    <Page
      title={name}
      heading={
        <span className="flex flex-wrap items-center gap-3">
          {connection && <VendorMark vendor={connection.connector.vendor} size="large" />}
          {name}
          {connection && <StatusBadge status={connection.connectionStatus} />}
        </span>
      }
      lead={connection?.connectionStatusMessage}
      parent={{ label: 'Connections', to: `/w/${workspace}/connections` }}
      actions={connection && <ConnectionControls connection={connection} workspace={workspace} onChange={refresh} />}
    >
      <QueryView result={result} onRetry={refresh}>
        {({ tenantConnectorInstance }) =>
          tenantConnectorInstance ? (
            <Details connection={tenantConnectorInstance} workspace={workspace} />
          ) : (
            <EmptyState title="This connection does not exist">
              The connection was deleted, or the URL of this page is wrong.
            </EmptyState>
          )
        }
      </QueryView>
    </Page>
  );
}

function Details({ connection, workspace }: { connection: Connection; workspace: string }) {
  return (
    <div className="space-y-6">
      {connection.syncJobs && <SyncStrip jobs={connection.syncJobs} days={STRIP_DAYS} />}
      <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="space-y-6">
          <TapTable taps={connection.taps ?? []} workspace={workspace} />
          {connection.syncJobs && <RecentSyncs jobs={connection.syncJobs} workspace={workspace} />}
        </div>
        <div className="space-y-6">
          {connection.credentials && (
            <Card
              title="Credentials"
              actions={<ConnectionAction connection={connection} workspace={workspace} only="repair" />}
            >
              <div className="p-5">
                <CredentialTest instanceId={connection.id} />
              </div>
              <CredentialHistory credentials={connection.credentials} />
            </Card>
          )}
          {connection.syncSchedule && (
            <ScheduleCard
              instanceId={connection.id}
              schedule={connection.syncSchedule}
              isPaused={connection.schedulePaused}
            />
          )}
        </div>
      </div>
    </div>
  );
}
