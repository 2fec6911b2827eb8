import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import type { SyncJobStatus } from '../../gql/graphql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { countOf } from '../../ui/count-of.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import type { Connection } from './connection-query.js';
import { ReSync } from './re-sync.js';

const startMutation = graphql(`
  mutation StartSync($instanceId: Base62Id!) {
    startSync(instanceId: $instanceId) {
      id
    }
  }
`);

export const cancelMutation = graphql(`
  mutation CancelSync($id: Base62Id!) {
    cancelSync(id: $id) {
      id
      status
    }
  }
`);

const pauseMutation = graphql(`
  mutation PauseConnection($id: Base62Id!, $isPaused: Boolean!) {
    updateConnectorInstance(id: $id, schedulePaused: $isPaused) {
      id
      schedulePaused
    }
  }
`);

const disconnectMutation = graphql(`
  mutation Disconnect($id: Base62Id!) {
    deleteConnectorInstance(id: $id)
  }
`);

export const OPEN_SYNC_STATUSES: readonly SyncJobStatus[] = ['pending', 'queued', 'running'];

interface ConnectionControlsProps {
  connection: Connection;
  workspace: string;
  onChange: () => void;
}

export function ConnectionControls({ connection, workspace, onChange }: ConnectionControlsProps) {
  const { id, schedulePaused } = connection;
  const canSync = useIsAllowed('syncs:write');
  const canWrite = useIsAllowed('connectors:write');
  const [asks, setAsks] = useState(false);
  const navigate = useNavigate();
  const [started, start] = useMutation(startMutation);
  const [cancelled, cancel] = useMutation(cancelMutation);
  const [paused, pause] = useMutation(pauseMutation);
  const [removed, disconnect] = useMutation(disconnectMutation);
  const open = connection.syncJobs?.find(({ status }) => OPEN_SYNC_STATUSES.includes(status));
  const error = started.error ?? cancelled.error ?? paused.error ?? removed.error;
  const taps = connection.taps?.filter(({ enabled }) => enabled) ?? [];
  const follow = (sync: string): Promise<void> =>
    navigate({ to: '/w/$workspace/syncs/$sync', params: { workspace, sync } });
  const leave = async (): Promise<void> => {
    const { data } = await disconnect({ id });
    if (data?.deleteConnectorInstance) await navigate({ to: '/w/$workspace/connections', params: { workspace } });
  };
  return (
    <>
      {canSync && !open && (
        <Button kind="primary" isBusy={started.fetching} onClick={() => start({ instanceId: id }).then(onChange)}>
          Sync now
        </Button>
      )}
      {canSync && !open && <ReSync instanceId={id} onStart={follow} />}
      {canSync && open && (
        <Button isBusy={cancelled.fetching} onClick={() => cancel({ id: open.id }).then(onChange)}>
          Cancel the sync
        </Button>
      )}
      {canWrite && (
        <Button isBusy={paused.fetching} onClick={() => pause({ id, isPaused: !schedulePaused }).then(onChange)}>
          {schedulePaused ? 'Resume' : 'Pause'}
        </Button>
      )}
      {canWrite && (
        <Button kind="quiet" onClick={() => setAsks(true)}>
          Disconnect
        </Button>
      )}
      {error && (
        <div className="basis-full">
          <FailureNotice error={error} />
        </div>
      )}
      {asks && (
        <ConfirmDialog
          title={`Disconnect ${connection.name ?? connection.connector.name}?`}
          confirmLabel="Disconnect"
          isBusy={removed.fetching}
          onConfirm={leave}
          onClose={() => setAsks(false)}
        >
          <p>You lose:</p>
          <ul className="mt-1 list-disc pl-5">
            <li>the stored credentials (for a new connection, you must enter them again)</li>
            <li>
              the syncs of {countOf(taps.length, 'tap')}
              {taps.length > 0 && `: ${listNames(taps.map(({ name }) => name))}`}
            </li>
            <li>the schedule and the saved positions of the syncs</li>
          </ul>
          <p className="mt-2">Tables and their rows remain.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const LISTED_NAMES = 5;

function listNames(names: readonly string[]): string {
  const more = names.length - LISTED_NAMES;
  return names.slice(0, LISTED_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
