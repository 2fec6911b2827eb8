import { Link } from '@tanstack/react-router';
import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import type { Connection } from './connection-query.js';
import { SyncRow } from './sync-row.js';

const SHOWN = 8;

interface RecentSyncsProps {
  jobs: NonNullable<Connection['syncJobs']>;
  workspace: string;
}

export function RecentSyncs({ jobs, workspace }: RecentSyncsProps) {
  return (
    <Card title="Recent syncs">
      {jobs.length === 0 && <p className="px-5 py-5 text-sm text-muted">No sync has started in the last 30 days.</p>}
      <ul className="divide-y divide-line">
        {jobs.slice(0, SHOWN).map((sync) => (
          <SyncRow key={sync.id} sync={sync}>
            <Link to="/w/$workspace/syncs/$sync" params={{ workspace, sync: sync.id }} className="hover:underline">
              {countOf(sync.recordsWritten ?? 0, 'record')}
            </Link>
          </SyncRow>
        ))}
      </ul>
    </Card>
  );
}
