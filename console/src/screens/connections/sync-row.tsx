import type { ReactNode } from 'react';
import type { SyncJobStatus } from '../../gql/graphql.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { SyncStatusBadge } from './sync-status-badge.js';

interface SyncRowProps {
  readonly sync: {
    readonly status: SyncJobStatus;
    readonly createdAt: string;
    readonly recordsRejected?: number | null;
    readonly errorMessage?: string | null;
    readonly nextStep?: string | null;
  };
  /** Link to the sync or to its connection. */
  readonly children: ReactNode;
}

export function SyncRow({
  sync: { status, createdAt, recordsRejected, errorMessage, nextStep },
  children,
}: SyncRowProps) {
  return (
    <li className="px-5 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-3">
        <SyncStatusBadge status={status} />
        {children}
        {Boolean(recordsRejected) && <span className="text-bad">{recordsRejected?.toLocaleString('en')} rejected</span>}
        <span className="ml-auto text-muted">
          <TimeAgo at={createdAt} />
        </span>
      </div>
      {errorMessage && <p className="mt-1 text-bad">{errorMessage}</p>}
      {nextStep && <p className="mt-1 text-muted">{nextStep}</p>}
    </li>
  );
}
