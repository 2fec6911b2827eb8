import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { DataTable } from '../../ui/data-table.js';
import { QueryView } from '../../ui/query-view.js';
import { syncRoute } from './sync-route.js';

const timelineQuery = graphql(`
  query SyncTimeline($id: Base62Id!) {
    syncTimeline(id: $id) {
      id
      timeline {
        requests {
          at
          method
          url
          status
          durationMs
          bytes
          attempt
          errorClass
        }
      }
    }
  }
`);

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

/** The service has replaced secrets in the URLs. */
export function RequestTimeline({ runId, name }: { runId: string; name: string }) {
  const { sync } = syncRoute.useParams();
  const [result, reload] = useQuery({ query: timelineQuery, variables: { id: sync } });
  return (
    <div className="border-t border-line">
      <QueryView result={result} onRetry={reload}>
        {({ syncTimeline }) => {
          const requests = syncTimeline?.find(({ id }) => id === runId)?.timeline?.requests ?? [];
          if (requests.length === 0) return <p className="px-5 py-4 text-sm text-muted">No requests are recorded.</p>;
          return (
            <DataTable
              columns={[
                {
                  title: 'Time',
                  className: 'font-normal whitespace-nowrap',
                  cell: ({ at }) => clock.format(new Date(at)),
                },
                {
                  title: 'Request',
                  className: 'font-mono break-all',
                  cell: ({ method, url, attempt }) => (
                    <>
                      {method} {url}
                      {attempt > 1 && <span className="text-warn"> attempt {attempt}</span>}
                    </>
                  ),
                },
                {
                  title: 'Status',
                  cell: ({ status, errorClass }) => (
                    <span className={errorClass ? 'text-bad' : ''}>{status ?? 'no response'}</span>
                  ),
                },
                { title: 'Duration', align: 'right', cell: ({ durationMs }) => `${durationMs} ms` },
                { title: 'Bytes', align: 'right', cell: ({ bytes }) => bytes.toLocaleString('en') },
              ]}
              rows={requests}
              keyOf={({ at, url, attempt }) => `${at} ${url} ${attempt}`}
              label={`Requests of ${name}`}
              size="xs"
            />
          );
        }}
      </QueryView>
    </div>
  );
}
