import { useQuery } from 'urql';
import { syncRoute } from '../../app/router.js';
import { graphql } from '../../gql/gql.js';
import { QueryView } from '../../ui/query-view.js';

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

/** The requests of a tap run to the vendor. The service has replaced secrets in their addresses. */
export function RequestTimeline({ runId, name }: { runId: string; name: string }) {
  const { sync } = syncRoute.useParams();
  const [result, reload] = useQuery({ query: timelineQuery, variables: { id: sync } });
  return (
    <div className="overflow-x-auto border-t border-line">
      <QueryView result={result} onRetry={reload}>
        {({ syncTimeline }) => {
          const requests = syncTimeline?.find(({ id }) => id === runId)?.timeline?.requests ?? [];
          if (requests.length === 0) return <p className="px-5 py-4 text-sm text-muted">No requests are recorded.</p>;
          return (
            <table className="w-full text-left text-xs" aria-label={`Requests of ${name}`}>
              <thead className="text-muted">
                <tr>
                  <th className="px-5 py-2 font-medium">Time</th>
                  <th className="px-3 py-2 font-medium">Request</th>
                  <th className="px-3 py-2 font-medium">Status</th>
                  <th className="px-3 py-2 text-right font-medium">Duration</th>
                  <th className="px-5 py-2 text-right font-medium">Bytes</th>
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {requests.map((request) => (
                  <tr key={`${request.at} ${request.url} ${request.attempt}`}>
                    <td className="px-5 py-2 whitespace-nowrap">{clock.format(new Date(request.at))}</td>
                    <td className="px-3 py-2 font-mono break-all">
                      {request.method} {request.url}
                      {request.attempt > 1 && <span className="text-warn"> attempt {request.attempt}</span>}
                    </td>
                    <td className={request.errorClass ? 'px-3 py-2 text-bad' : 'px-3 py-2'}>
                      {request.status ?? 'no response'}
                    </td>
                    <td className="px-3 py-2 text-right tabular-nums">{request.durationMs} ms</td>
                    <td className="px-5 py-2 text-right tabular-nums">{request.bytes.toLocaleString('en')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </QueryView>
    </div>
  );
}
