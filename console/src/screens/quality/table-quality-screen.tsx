import { getRouteApi, Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { useLiveRefresh } from '../../api/use-live-refresh.js';
import { Badge } from '../../ui/badge.js';
import { buttonClasses } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { Tabs } from '../../ui/tabs.js';
import { CHECK_SEVERITY, CHECK_STATUSES, SCOPE_LABELS } from './checks/check-words.js';
import { ContractPart } from './contract-part.js';
import { HeldDecisions } from './held-decision.js';
import { type Contract, type QualityTable, qualityResultChanged, tableQualityQuery } from './table-quality-query.js';

const tableQualityRoute = getRouteApi('/w/$workspace/quality/$table');

export function TableQualityScreen() {
  const { workspace, table: id } = tableQualityRoute.useParams();
  const { scope } = tableQualityRoute.useSearch();
  const navigate = tableQualityRoute.useNavigate();
  const [result, reload] = useQuery({ query: tableQualityQuery, variables: { id } });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  useLiveRefresh(qualityResultChanged, { tableId: id }, refresh);
  const table = result.data?.catalogTable;
  const title = table ? `Quality of ${table.name}` : 'Quality';
  return (
    <Page
      title={title}
      heading={
        table && (
          <span className="flex flex-wrap items-center gap-3">
            <span className="min-w-0 break-words">{table.name}</span> <OverallBadge table={table} />
          </span>
        )
      }
      lead="Checks with their evidence, control charts, and rows that wait for a decision."
      parent={{ label: 'Quality', to: `/w/${workspace}/quality` }}
      actions={
        table && (
          <Link to="/w/$workspace/tables/$table" params={{ workspace, table: id }} className={buttonClasses()}>
            See the rows
          </Link>
        )
      }
    >
      <QueryView result={result} onRetry={refresh}>
        {({ catalogTable: found }) => {
          if (!found) return <EmptyState title="This table does not exist" />;
          const contracts = [...(found.contracts ?? [])].sort(worstFirst);
          const current = contracts.find((one) => one.scope === scope) ?? contracts[0];
          return (
            <>
              <HeldDecisions table={found} onDecided={refresh} />
              {current ? (
                <>
                  <Tabs
                    label="Scope of the contract"
                    tabs={contracts
                      .toSorted((a, b) => b.scope.localeCompare(a.scope))
                      .map((one) => ({ key: one.scope, label: `${SCOPE_LABELS[one.scope]}${problemsOf(one)}` }))}
                    current={current.scope}
                    onChange={(next) => navigate({ search: { scope: next }, replace: true })}
                  />
                  <ContractPart contract={current} workspace={workspace} table={id} onChanged={refresh} />
                </>
              ) : (
                <EmptyState title="This table has no contracts yet">
                  The service creates the contracts when it loads the first rows of the table.
                </EmptyState>
              )}
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

function statusesOf({ computed, reported }: Contract) {
  return [...(computed ?? []), ...(reported ?? [])].map(({ overallStatus }) => overallStatus);
}

function severityOf(contract: Contract): number {
  return Math.min(...statusesOf(contract).map((status) => CHECK_SEVERITY.indexOf(status)), CHECK_SEVERITY.length);
}

function worstFirst(a: Contract, b: Contract): number {
  return severityOf(a) - severityOf(b) || b.scope.localeCompare(a.scope);
}

/** Returns the number of problems, such as " (2)", or an empty text if there are none. */
function problemsOf(contract: Contract): string {
  const checks = [...(contract.computed ?? []), ...(contract.reported ?? [])].flatMap((run) => run.checks);
  const failed = checks.filter(({ status }) => ['FAIL', 'WARN', 'ERROR'].includes(status)).length;
  const charts = contract.spcResults?.[0]?.series.filter(({ status }) =>
    ['OUT_OF_CONTROL', 'WARNING'].includes(status),
  );
  const count = failed + (charts?.length ?? 0);
  return count > 0 ? ` (${count})` : '';
}

function OverallBadge({ table }: { table: QualityTable }) {
  const worst = CHECK_SEVERITY[Math.min(...(table.contracts ?? []).map(severityOf), CHECK_SEVERITY.length)];
  if (!worst) return null;
  const { label, tone } = CHECK_STATUSES[worst];
  return <Badge tone={tone}>checks {label}</Badge>;
}
