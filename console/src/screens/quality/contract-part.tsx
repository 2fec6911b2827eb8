import { Link } from '@tanstack/react-router';
import { useIsAllowed } from '../../session/permissions.js';
import { buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Notice } from '../../ui/notice.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { ChartCard } from './charts/chart-card.js';
import { chartSeriesOf } from './charts/chart-series.js';
import { CheckList } from './checks/check-list.js';
import type { Contract } from './table-quality-query.js';

interface ContractPartProps {
  contract: Contract;
  workspace: string;
  table: string;
  onChanged: () => void;
}

export function ContractPart({ contract, workspace, table, onChanged }: ContractPartProps) {
  const canChange = useIsAllowed('contracts:write');
  const charts = chartSeriesOf(contract);
  const runs = [contract.computed?.[0], contract.reported?.[0]].filter((run) => run != null);
  const edit = canChange && (
    <Link
      to="/w/$workspace/quality/$table/contracts/$contract"
      params={{ workspace, table, contract: contract.id }}
      className={buttonClasses()}
    >
      Edit the contract
    </Link>
  );
  return (
    <div className="space-y-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">
          {contract.scope === 'tap'
            ? 'Rows of each run, checked before they become part of the table.'
            : 'The whole table, checked after each run and once an hour.'}
        </p>
        {edit}
      </div>
      {contract.degradedSince && (
        <Notice tone="warn" title="The table is degraded">
          A check began to fail <TimeAgo at={contract.degradedSince} />. The service also marks the connection as
          degraded, until the check passes in a later run.
        </Notice>
      )}
      {runs.length === 0 && (
        <Card>
          <EmptyState title="No run has been checked yet" action={edit || undefined}>
            {contract.scope === 'tap'
              ? 'The service applies the rules of this contract to the rows of the next run.'
              : 'The service applies the rules of this contract within an hour, or earlier if the table has a new run.'}
          </EmptyState>
        </Card>
      )}
      {runs.map((run) => (run.checks.length > 0 ? <CheckList key={run.id} run={run} /> : <NoChecks key={run.id} />))}
      {charts.length > 0 && (
        <section aria-label="Control charts">
          <h2 className="mb-3 text-sm font-semibold">Control charts</h2>
          <div className="grid gap-4 xl:grid-cols-2">
            {charts.map((series) => (
              <ChartCard
                key={series.id}
                series={series}
                minHistory={contract.minHistoryForViolation}
                onChanged={onChanged}
              />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

function NoChecks() {
  return (
    <Card title="Checks">
      <p className="px-5 py-4 text-sm text-muted">
        The contract has no checks for this run. Edit the contract to add checks.
      </p>
    </Card>
  );
}
