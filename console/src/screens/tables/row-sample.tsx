import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { EmptyState } from '../../ui/empty-state.js';
import { QueryView } from '../../ui/query-view.js';

const SAMPLE_ROWS = 50;

const rowsQuery = graphql(`
  query Rows($id: Base62Id!, $kind: TableFileKind!, $limit: Int!) {
    catalogTableRows(id: $id, kind: $kind, limit: $limit)
  }
`);

const EMPTY_TITLES = { data: 'This table has no rows', rejects: 'No row was rejected' };

/** Rows of the newest files. */
export function RowSample({ tableId, kind }: { tableId: string; kind: 'data' | 'rejects' }) {
  const [result, reload] = useQuery({ query: rowsQuery, variables: { id: tableId, kind, limit: SAMPLE_ROWS } });
  return (
    <QueryView result={result} onRetry={reload}>
      {({ catalogTableRows: rows }) => {
        if (!rows?.length) return <EmptyState title={EMPTY_TITLES[kind]} />;
        const columns = Object.keys(rows[0] as object).sort(systemColumnsLast);
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          <section className="max-h-[70vh] overflow-auto" aria-label="Rows" tabIndex={0}>
            <table className="w-full text-left text-xs">
              <thead className="sticky top-0 bg-surface text-muted">
                <tr>
                  {columns.map((column) => (
                    <th key={column} className="px-4 py-2 font-medium whitespace-nowrap">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {rows.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key, and the sample never changes its order
                  <tr key={index}>
                    {columns.map((column) => (
                      <td key={column} className="max-w-xs truncate px-4 py-2 font-mono" title={textOf(row[column])}>
                        {textOf(row[column])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        );
      }}
    </QueryView>
  );
}

/** The service adds columns whose names start with an underscore. */
function systemColumnsLast(one: string, other: string): number {
  return Number(one.startsWith('_')) - Number(other.startsWith('_'));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
