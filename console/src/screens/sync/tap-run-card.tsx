import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import { isFuture } from '../../ui/is-future.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { RequestTimeline } from './request-timeline.js';
import type { Sync } from './sync-query.js';
import { TAP_RUN_STATUSES } from './tap-run-status.js';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

type TapRun = NonNullable<Sync['tapRuns']>[number];

const RESPONSIBLE: Readonly<Record<NonNullable<TapRun['responsible']>, string>> = {
  vendor: 'The vendor',
  customer: 'A user of this workspace',
  operator: 'The operator of the service',
};

export function TapRunCard({ run, workspace }: { run: TapRun; workspace: string }) {
  const [showsRequests, setShowsRequests] = useState(false);
  const name = run.tap?.name ?? 'Deleted tap';
  const { label, tone } = TAP_RUN_STATUSES[run.status];
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-3">
          {name} <Badge tone={tone}>{label}</Badge>
          <span className="font-normal text-muted">
            {run.mode}
            {run.isResync && ', re-sync'}
            {run.rangeFrom && `, records since ${day.format(new Date(run.rangeFrom))}`}
          </span>
        </span>
      }
      actions={
        <Button kind="quiet" aria-expanded={showsRequests} onClick={() => setShowsRequests(!showsRequests)}>
          {countOf(run.requests, 'request')}
          <span className="sr-only">of {name}</span>
        </Button>
      }
    >
      <div className="space-y-3 px-5 py-4 text-sm">
        <Progress run={run} name={name} />
        <p className="text-muted">
          {run.recordsRead.toLocaleString('en')} read, {run.recordsWritten.toLocaleString('en')} written
          <Rejected run={run} workspace={workspace} />
        </p>
        <Wait run={run} />
        {run.errorMessage && (
          <div className="text-bad">
            <p>{run.errorMessage}</p>
            <p className="text-muted">
              {run.errorClass && `Class of the failure: ${run.errorClass}. `}
              {run.responsible && `${RESPONSIBLE[run.responsible]} must act. `}
              {run.nextStep}
            </p>
          </div>
        )}
      </div>
      {showsRequests && <RequestTimeline runId={run.id} name={name} />}
    </Card>
  );
}

function Rejected({ run: { recordsRejected, tap }, workspace }: { run: TapRun; workspace: string }) {
  if (recordsRejected === 0) return null;
  const text = `${recordsRejected.toLocaleString('en')} rejected`;
  if (!tap?.table) return <span className="text-bad">, {text}</span>;
  return (
    <>
      ,{' '}
      <Link
        to="/w/$workspace/tables/$table"
        params={{ workspace, table: tap.table.id }}
        search={{ tab: 'rejects' }}
        className="text-bad underline"
      >
        {text}
      </Link>
    </>
  );
}

/** A run that plans its slices while it reads has no total. */
function Progress({ run, name }: { run: TapRun; name: string }) {
  if (run.slicesTotal === null || run.slicesTotal === undefined) return null;
  return (
    <progress
      aria-label={`Progress of ${name}`}
      max={Math.max(run.slicesTotal, 1)}
      value={run.status === 'succeeded' ? Math.max(run.slicesTotal, 1) : run.slicesDone}
      className="h-2 w-full overflow-hidden rounded-full"
    />
  );
}

/** Explains why the run waits. The run continues automatically, or its rows wait for the decision of a user. */
function Wait({ run }: { run: TapRun }) {
  if (isFuture(run.heldUntil))
    return (
      <p className="text-warn">
        The service holds the rows of this run for a decision. Without a decision, the service discards the rows{' '}
        <TimeAgo at={run.heldUntil} />.
      </p>
    );
  if (run.status !== 'waiting' || !run.notBefore) return null;
  return (
    <p className="text-info">
      Waiting. Continues <TimeAgo at={run.notBefore} />.
    </p>
  );
}
