import { useMutation, useQuery } from 'urql';
import { useLiveRefresh } from '../../api/use-live-refresh.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/count-of.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { cancelMutation, OPEN_SYNC_STATUSES } from '../connections/connection-controls.js';
import { SyncStatusBadge } from '../connections/sync-status-badge.js';
import { syncJobChanged } from './sync-job-changed.js';
import { type Sync, syncQuery } from './sync-query.js';
import { syncRoute } from './sync-route.js';
import { TapRunCard } from './tap-run-card.js';

export function SyncScreen() {
  const { workspace, sync: id } = syncRoute.useParams();
  const canSync = useIsAllowed('syncs:write');
  const readsTables = useIsAllowed('catalog:read');
  const [result, reload] = useQuery({ query: syncQuery, variables: { id, readsTables } });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  const sync = result.data?.sync;
  const isOpen = sync !== undefined && sync !== null && OPEN_SYNC_STATUSES.includes(sync.status);
  useLiveRefresh(syncJobChanged, { instanceId: sync?.instance?.id ?? null }, refresh, isOpen);
  const [cancelled, cancel] = useMutation(cancelMutation);
  const name = sync?.instance ? (sync.instance.name ?? sync.instance.connector.name) : 'Sync';
  const title = sync?.instance ? `Sync of ${name}` : name;
  return (
    <Page
      title={title}
      heading={
        <span className="flex flex-wrap items-center gap-3">
          {title} {sync && <SyncStatusBadge status={sync.status} />}
        </span>
      }
      lead={sync && <SyncLead sync={sync} />}
      parent={
        sync?.instance
          ? { label: name, to: `/w/${workspace}/connections/${sync.instance.id}` }
          : { label: 'Connections', to: `/w/${workspace}/connections` }
      }
      actions={
        canSync &&
        isOpen && (
          <Button isBusy={cancelled.fetching} onClick={() => cancel({ id }).then(refresh)}>
            Cancel the sync
          </Button>
        )
      }
    >
      <div className="space-y-6">
        {cancelled.error && <FailureNotice error={cancelled.error} />}
        <QueryView result={result} onRetry={refresh}>
          {({ sync }) =>
            sync ? <TapRuns sync={sync} workspace={workspace} /> : <EmptyState title="This sync does not exist" />
          }
        </QueryView>
      </div>
    </Page>
  );
}

const TRIGGERS: Readonly<Record<Sync['trigger'], string>> = {
  initial: 'First sync of the connection',
  manual: 'Manual sync',
  schedule: 'Scheduled sync',
  external: 'Sync of an external runner',
};

function SyncLead({ sync }: { sync: Sync }) {
  return (
    <>
      {TRIGGERS[sync.trigger]}, {sync.startedAt ? 'started' : 'created'}{' '}
      <TimeAgo at={sync.startedAt ?? sync.createdAt} />
      {sync.finishedAt && (
        <>
          , finished <TimeAgo at={sync.finishedAt} />
        </>
      )}
      . {countOf(sync.recordsWritten ?? 0, 'record')} written.
    </>
  );
}

function TapRuns({ sync, workspace }: { sync: Sync; workspace: string }) {
  return (
    <div className="space-y-4">
      {sync.errorMessage && (
        <Notice tone="bad" title={sync.errorMessage}>
          {sync.nextStep && <p>{sync.nextStep}</p>}
          {sync.responsible && <p>Responsible: {sync.responsible}</p>}
        </Notice>
      )}
      {sync.tapRuns?.map((run) => (
        <TapRunCard key={run.id} run={run} workspace={workspace} />
      ))}
      {sync.tapRuns?.length === 0 && <EmptyState title="This sync has no taps yet" />}
    </div>
  );
}
