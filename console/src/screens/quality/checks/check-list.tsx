import { useState } from 'react';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { countOf } from '../../../ui/count-of.js';
import { TimeAgo } from '../../../ui/time-ago.js';
import { formatCheckValue } from '../format-value.js';
import type { Check, CheckedRun } from '../table-quality-query.js';
import { CheckEvidence } from './check-evidence.js';
import { CHECK_SEVERITY, CHECK_STATUSES, GATE_EFFECTS } from './check-words.js';

export function CheckList({ run }: { run: CheckedRun }) {
  const [showsAll, setShowsAll] = useState(false);
  const sorted = [...run.checks].sort((a, b) => CHECK_SEVERITY.indexOf(a.status) - CHECK_SEVERITY.indexOf(b.status));
  const problems = sorted.filter(({ status }) => status !== 'PASS' && status !== 'SKIPPED');
  const shown = showsAll || problems.length === 0 ? sorted : problems;
  const hidden = sorted.length - problems.length;
  return (
    <Card
      title={run.lifecycle === 'transform' ? 'Checks of an external job' : 'Checks'}
      actions={
        <span className="text-xs text-muted">
          Run {run.runId.length > 24 ? `${run.runId.slice(0, 24)}…` : run.runId}, <TimeAgo at={run.capturedAt} />
        </span>
      }
    >
      <ul className="divide-y divide-line">
        {shown.map((check) => (
          <CheckRow key={`${check.spec.id} ${check.column}`} check={check} />
        ))}
      </ul>
      {problems.length > 0 && hidden > 0 && (
        <div className="border-t border-line px-3 py-2">
          <Button kind="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show only problems' : `Show ${countOf(hidden, 'other check')}`}
          </Button>
        </div>
      )}
    </Card>
  );
}

const COMPARISONS = { LT: '<', LTE: '≤', GT: '>', GTE: '≥', EQ: '=', NEQ: '≠' } as Readonly<Record<string, string>>;

function CheckRow({ check }: { check: Check }) {
  const { spec, status, observed, threshold, comparator, evidence } = check;
  const { label, tone } = CHECK_STATUSES[status];
  const hasFailed = status === 'FAIL' || status === 'WARN';
  const delta = evidence?.runOverRunDelta;
  return (
    <li className="grid gap-x-4 gap-y-2 px-5 py-3 text-sm sm:grid-cols-[7.5rem_1fr_auto]">
      <span>
        <Badge tone={tone}>{label}</Badge>
      </span>
      <div className="min-w-0 space-y-2">
        <div>
          <p className="font-medium break-words">{spec.description}</p>
          <p className="text-xs text-muted">
            <code>{spec.id}</code> · {hasFailed ? GATE_EFFECTS[spec.gate] : `A failure ${GATE_EFFECTS[spec.gate]}`}
          </p>
        </div>
        {(hasFailed || status === 'ERROR') && <CheckEvidence check={check} />}
      </div>
      {observed != null && (
        <p className="text-right whitespace-nowrap tabular-nums">
          <span className={hasFailed ? 'font-semibold text-bad' : ''}>{formatCheckValue(spec.id, observed)}</span>
          {threshold != null && comparator && (
            <span className="block text-xs text-muted">
              must be {COMPARISONS[comparator] ?? comparator} {formatCheckValue(spec.id, threshold)}
            </span>
          )}
          {delta != null && delta !== 0 && (
            <span className="block text-xs text-muted">
              {delta > 0 ? '▲' : '▼'} {formatCheckValue(spec.id, Math.abs(delta))} since the previous run
            </span>
          )}
        </p>
      )}
    </li>
  );
}
