import { Link } from '@tanstack/react-router';
import type { QualityQuery } from '../../gql/graphql.js';
import { Badge } from '../../ui/badge.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { isFuture } from '../../ui/is-future.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { seriesTitle } from './charts/chart-series.js';
import { RULE_MARKS, SPC_STATUSES } from './charts/chart-words.js';
import { CHECK_STATUSES, SCOPE_LABELS } from './checks/check-words.js';
import { formatSeriesValue } from './format-value.js';

type ChecksOfTable = NonNullable<QualityQuery['tableQualityResults']>['results'][number];
type ChartsOfTable = NonNullable<QualityQuery['tableSpcResults']>['results'][number];
type Contract = ChecksOfTable['contract'];

/** The page of the table shows all reasons. */
const SHOWN_REASONS = 2;

export function CheckResults({ results, workspace }: { results: readonly ChecksOfTable[]; workspace: string }) {
  return (
    <DataTable
      columns={[
        tableColumn<ChecksOfTable>(workspace, ({ lifecycle }) => lifecycle === 'transform'),
        {
          title: 'Status',
          cell: ({ overallStatus }) => {
            const { label, tone } = CHECK_STATUSES[overallStatus];
            return <Badge tone={tone}>{label}</Badge>;
          },
        },
        { title: 'Why', className: 'min-w-64', cell: (result) => <Reasons reasons={failuresOf(result)} /> },
        checkedColumn(),
      ]}
      rows={results}
      keyOf={({ id }) => id}
      label="Check results by table"
    />
  );
}

export function ChartResults({ results, workspace }: { results: readonly ChartsOfTable[]; workspace: string }) {
  return (
    <DataTable
      columns={[
        tableColumn(workspace, () => false),
        {
          title: 'Status',
          cell: ({ overallStatus }) => {
            const { label, tone } = SPC_STATUSES[overallStatus];
            return <Badge tone={tone}>{label}</Badge>;
          },
        },
        { title: 'Why', className: 'min-w-64', cell: (result) => <Reasons reasons={violationsOf(result)} /> },
        checkedColumn(),
      ]}
      rows={results}
      keyOf={({ id }) => id}
      label="Control charts by table"
    />
  );
}

function tableColumn<Result extends { contract?: Contract }>(
  workspace: string,
  isReported: (result: Result) => boolean,
): Column<Result> {
  return {
    title: 'Table',
    cell: (result) => {
      const { contract } = result;
      if (!contract?.table) return 'Deleted table';
      const { scope, degradedSince, table } = contract;
      const isHeld = table.heldRecords > 0 || isFuture(table.tap?.runs?.[0]?.heldUntil);
      return (
        <>
          <Link
            to="/w/$workspace/quality/$table"
            params={{ workspace, table: table.id }}
            search={{ scope }}
            className="hover:underline"
          >
            {table.name}
          </Link>
          <span className="block text-xs font-normal text-muted">
            {SCOPE_LABELS[scope]}
            {isReported(result) && ', reported by an external job'}
          </span>
          {(isHeld || degradedSince) && (
            <span className="mt-1 flex flex-wrap gap-1">
              {isHeld && <Badge tone="warn">waits for a decision</Badge>}
              {degradedSince && <Badge tone="warn">degraded</Badge>}
            </span>
          )}
        </>
      );
    },
  };
}

function checkedColumn<Result extends { capturedAt: string }>(): Column<Result> {
  return {
    title: 'Checked',
    className: 'whitespace-nowrap text-muted',
    cell: ({ capturedAt }) => <TimeAgo at={capturedAt} />,
  };
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return <span className="text-muted">–</span>;
  const others = reasons.length - SHOWN_REASONS;
  return (
    <>
      {reasons.slice(0, SHOWN_REASONS).map((reason) => (
        <span key={reason} className="block break-words">
          {reason}
        </span>
      ))}
      {others > 0 && <span className="text-muted">and {others} more</span>}
    </>
  );
}

function failuresOf({ checks }: ChecksOfTable): string[] {
  const failed = checks.filter(({ status }) => status === 'FAIL' || status === 'WARN' || status === 'ERROR');
  return failed.map(({ spec, evidence }) => evidence?.message ?? spec.description);
}

function violationsOf({ series }: ChartsOfTable): string[] {
  return series
    .filter(({ status }) => status === 'OUT_OF_CONTROL' || status === 'WARNING')
    .map(({ seriesId, seriesKind, latestValue, mean, violations }) => {
      const title = seriesTitle(seriesKind, seriesId.split(':').slice(2).join(':'));
      const rules = violations.map(({ ruleId }) => RULE_MARKS[ruleId]).join(', ');
      return `${title}: ${formatSeriesValue(seriesKind, latestValue)} (mean: ${formatSeriesValue(seriesKind, mean)}; ${rules})`;
    });
}
