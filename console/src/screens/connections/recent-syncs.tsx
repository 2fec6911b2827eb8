import { Link } from '@tanstack/react-router';
import { Card } from '../../ui/card.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { Connection } from './connection-query.js';
import { SyncStatusBadge } from './sync-status-badge.js';

const SHOWN = 8;

interface RecentSyncsProps {
  jobs: NonNullable<Connection['syncJobs']>;
  workspace: string;
}

export function RecentSyncs({ jobs, workspace }: RecentSyncsProps) {
  return (
    <Card title="Recent syncs">
      {jobs.length === 0 && <p className="px-5 py-5 text-sm text-muted">No sync in the last 30 days.</p>}
      <ul className="divide-y divide-line">
        {jobs
          .slice(0, SHOWN)
          .map(({ id, status, createdAt, recordsWritten, recordsRejected, errorMessage, nextStep }) => (
            <li key={id} className="px-5 py-3 text-sm">
              <div className="flex flex-wrap items-center gap-3">
                <SyncStatusBadge status={status} />
                <Link to="/w/$workspace/syncs/$sync" params={{ workspace, sync: id }} className="hover:underline">
                  {(recordsWritten ?? 0).toLocaleString('en')} records
                </Link>
                {Boolean(recordsRejected) && (
                  <span className="text-bad">{recordsRejected?.toLocaleString('en')} rejected</span>
                )}
                <span className="ml-auto text-muted">
                  <TimeAgo at={createdAt} />
                </span>
              </div>
              {errorMessage && <p className="mt-1 text-bad">{errorMessage}</p>}
              {nextStep && <p className="mt-1 text-muted">{nextStep}</p>}
            </li>
          ))}
      </ul>
    </Card>
  );
}
