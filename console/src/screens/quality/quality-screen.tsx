import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { useLiveRefresh } from '../../api/use-live-refresh.js';
import { graphql } from '../../gql/gql.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChips } from '../../ui/filter-chips.js';
import { pageVariables } from '../../ui/list-page.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import { Tabs } from '../../ui/tabs.js';
import { CHART_FILTERS, CHECK_FILTERS, type QualityView } from './quality-filters.js';
import { ChartResults, CheckResults } from './result-tables.js';
import { qualityResultChanged } from './table-quality-query.js';

const qualityRoute = getRouteApi('/w/$workspace/quality');

const qualityQuery = graphql(`
  query Quality(
    $showsChecks: Boolean!
    $checks: TableQualityResultFilter
    $charts: TableSpcResultFilter
    $limit: Int!
    $offset: Int!
  ) {
    failed: tableQualityResults(filter: { overallStatus: [FAIL, ERROR] }) {
      total
    }
    warned: tableQualityResults(filter: { overallStatus: [WARN] }) {
      total
    }
    allChecks: tableQualityResults {
      total
    }
    outOfControl: tableSpcResults(filter: { overallStatus: [OUT_OF_CONTROL] }) {
      total
    }
    chartWarnings: tableSpcResults(filter: { overallStatus: [WARNING] }) {
      total
    }
    allCharts: tableSpcResults {
      total
    }
    tableQualityResults(filter: $checks, limit: $limit, offset: $offset, orderBy: CAPTURED_AT_DESC)
      @include(if: $showsChecks) {
      total
      results {
        id
        capturedAt
        overallStatus
        lifecycle
        checks {
          spec {
            id
            description
          }
          status
          evidence {
            message
          }
        }
        contract {
          ...ContractOfResult
        }
      }
    }
    tableSpcResults(filter: $charts, limit: $limit, offset: $offset, orderBy: CAPTURED_AT_DESC)
      @skip(if: $showsChecks) {
      total
      results {
        id
        capturedAt
        overallStatus
        series {
          seriesId
          seriesKind
          status
          latestValue
          mean
          violations {
            ruleId
          }
        }
        contract {
          ...ContractOfResult
        }
      }
    }
  }

  fragment ContractOfResult on TableContract {
    id
    scope
    degradedSince
    table {
      id
      name
      heldRecords
      tap {
        id
        runs(limit: 1, orderBy: CREATED_AT_DESC) {
          id
          heldUntil
        }
      }
    }
  }
`);

export function QualityScreen() {
  const { workspace } = qualityRoute.useParams();
  const { view = 'checks', status = 'attention', page = 1 } = qualityRoute.useSearch();
  const navigate = qualityRoute.useNavigate();
  const filters = view === 'checks' ? CHECK_FILTERS : CHART_FILTERS;
  const current = filters.find(({ key }) => key === status) ?? filters[0];
  const filter = current?.statuses && { overallStatus: [...current.statuses] };
  const [result, reload] = useQuery({
    query: qualityQuery,
    variables: {
      ...{ showsChecks: view === 'checks', ...pageVariables(page) },
      ...({ checks: view === 'checks' ? filter : null, charts: view === 'charts' ? filter : null } as object),
    },
  });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  useLiveRefresh(qualityResultChanged, { tableId: null }, refresh);
  const show = (search: { view: QualityView; status?: string; page?: number }): void => {
    navigate({ search });
  };
  return (
    <Page title="Quality" lead="Tables that need attention because of their checks or control charts.">
      <QueryView result={result} onRetry={refresh}>
        {(data) => {
          const counts = {
            attention: (data.failed?.total ?? 0) + (data.warned?.total ?? 0),
            ...{ failed: data.failed?.total, warning: data.warned?.total, all: data.allChecks?.total },
          };
          const chartCounts = {
            attention: (data.outOfControl?.total ?? 0) + (data.chartWarnings?.total ?? 0),
            ...{ out: data.outOfControl?.total, warning: data.chartWarnings?.total, all: data.allCharts?.total },
          };
          const list = view === 'checks' ? data.tableQualityResults : data.tableSpcResults;
          if (counts.all === 0 && chartCounts.all === 0) return <NoResults />;
          return (
            <>
              <Tabs
                label="Kind of result"
                tabs={[
                  { key: 'checks', label: `Checks (${counts.attention})` },
                  { key: 'charts', label: `Control charts (${chartCounts.attention})` },
                ]}
                current={view}
                onChange={(next) => show({ view: next as QualityView })}
              />
              <FilterChips
                label="Status"
                options={filters.map(({ key, label }) => ({
                  ...{ key, label },
                  count: (view === 'checks' ? counts : chartCounts)[key as 'all'],
                }))}
                current={current?.key ?? 'attention'}
                onChange={(next) => show({ view, status: next })}
              />
              <Card>
                {list?.total === 0 && (
                  <EmptyState title={status === 'attention' ? 'Nothing needs attention' : 'No table has this status'}>
                    {status === 'attention' &&
                      (view === 'checks'
                        ? 'No check of the latest runs failed.'
                        : 'No control chart reports a violation.')}
                  </EmptyState>
                )}
                {data.tableQualityResults && data.tableQualityResults.total > 0 && (
                  <CheckResults results={data.tableQualityResults.results} workspace={workspace} />
                )}
                {data.tableSpcResults && data.tableSpcResults.total > 0 && (
                  <ChartResults results={data.tableSpcResults.results} workspace={workspace} />
                )}
              </Card>
              <Pager page={page} total={list?.total ?? 0} onChange={(next) => show({ view, status, page: next })} />
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

function NoResults() {
  return (
    <Card>
      <EmptyState title="No table has been checked yet">
        The service checks a table each time that its rows change. To get results, sync a connection, publish a file or
        push records.
      </EmptyState>
    </Card>
  );
}
