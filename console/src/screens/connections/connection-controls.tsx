import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useIsAllowed } from '../../app/permissions.js';
import { graphql } from '../../gql/gql.js';
import type { SyncJobStatus } from '../../gql/graphql.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import type { Connection } from './connection-query.js';

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
          title="Disconnect?"
          confirmLabel="Disconnect"
          isBusy={removed.fetching}
          onConfirm={leave}
          onClose={() => setAsks(false)}
        >
          The service deletes the stored credentials of this connection, and its syncs stop. Tables and history remain.
        </ConfirmDialog>
      )}
    </>
  );
}
