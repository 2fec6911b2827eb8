import { useQuery } from 'urql';
import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import { EmptyState } from '../../ui/empty-state.js';
import { formatBytes } from '../../ui/format-bytes.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { Tabs } from '../../ui/tabs.js';
import { ReadWithTools } from './read-with-tools.js';
import { TableColumns } from './table-columns.js';
import { TableFiles } from './table-files.js';
import { type Table, tableQuery } from './table-query.js';
import { tableRoute } from './table-route.js';
import { TableRows } from './table-rows.js';
import { TableVersions } from './table-versions.js';

/** The first tab is the default. */
const TABS = {
  rows: { label: 'Rows', show: (table: Table) => <TableRows table={table} kind="data" /> },
  rejects: { label: 'Rejects', show: (table: Table) => <TableRows table={table} kind="rejects" /> },
  columns: { label: 'Columns', show: (table: Table) => <TableColumns table={table} /> },
  files: { label: 'Files', show: (table: Table) => <TableFiles table={table} /> },
  versions: { label: 'Versions', show: (table: Table) => <TableVersions table={table} /> },
  read: { label: 'Read with tools', show: (table: Table) => <ReadWithTools table={table} /> },
} as const;

export function TableScreen() {
  const { workspace, table: id } = tableRoute.useParams();
  const { tab = 'rows' } = tableRoute.useSearch();
  const navigate = tableRoute.useNavigate();
  const [result, reload] = useQuery({ query: tableQuery, variables: { id } });
  const table = result.data?.catalogTable;
  const current = tab in TABS ? (tab as keyof typeof TABS) : 'rows';
  return (
    <Page
      title={table?.name ?? 'Table'}
      parent={{ label: 'Tables', to: `/w/${workspace}/tables` }}
      lead={
        table &&
        `${countOf(table.rows, 'row')} in ${countOf(table.fileCount, 'file')}, ${formatBytes(table.bytes)}, version ${table.version}.`
      }
    >
      <QueryView result={result} onRetry={reload}>
        {({ catalogTable }) =>
          catalogTable ? (
            <>
              <Tabs
                label="Parts of the table"
                tabs={Object.entries(TABS).map(([key, { label }]) => ({ key, label }))}
                current={current}
                onChange={(next) => navigate({ search: { tab: next }, replace: true })}
              />
              <Card>{TABS[current].show(catalogTable)}</Card>
            </>
          ) : (
            <EmptyState title="This table does not exist" />
          )
        }
      </QueryView>
    </Page>
  );
}
