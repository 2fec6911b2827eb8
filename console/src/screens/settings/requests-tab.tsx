import { useState } from 'react';
import { useQuery } from 'urql';
import { useIsAllowed } from '../../session/permissions.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { QueryView } from '../../ui/query-view.js';
import { SearchField } from '../../ui/search-field.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { RequestConnector } from '../catalog/request-connector.js';
import { MoveRequest } from './move-request.js';
import { REQUEST_STATUSES } from './request-status.js';
import { type Move, type Request, requestsQuery } from './requests-query.js';
import { settingsRoute } from './settings-route.js';

const BOARD_SIZE = 250;

/** The board has a column for each status that is not final, and for each final status that has requests. */
export function RequestsTab() {
  const { name } = settingsRoute.useSearch();
  const navigate = settingsRoute.useNavigate();
  const [move, setMove] = useState<Move>();
  const variables = { filter: name ? { connectorName: name } : null, limit: BOARD_SIZE };
  const [result, reload] = useQuery({ query: requestsQuery, variables });
  return (
    <>
      <SearchField
        label="Search by connector"
        value={name ?? ''}
        onChange={(text) => navigate({ search: { tab: 'requests', ...(text && { name: text }) }, replace: true })}
      />
      <QueryView result={result} onRetry={reload}>
        {({ connectorRequests: list }) =>
          list?.items.length ? (
            <>
              <Board requests={list.items} onMove={setMove} />
              {list.total > list.items.length && (
                <p className="mt-4 text-sm text-muted">
                  The newest {list.items.length} of {list.total} requests. Search to find the others.
                </p>
              )}
            </>
          ) : (
            <Card>
              <EmptyState
                title={name ? `No requested connector has “${name}” in its name` : 'No connector requests'}
                action={<RequestConnector name={name} />}
              >
                People of this workspace request connectors that the catalog lacks. Here, people with the permission
                connector_requests:move change the status of a request.
              </EmptyState>
            </Card>
          )
        }
      </QueryView>
      {move && (
        <MoveRequest
          move={move}
          onClose={() => {
            setMove(undefined);
            reload({ requestPolicy: 'network-only' });
          }}
        />
      )}
    </>
  );
}

interface BoardProps {
  requests: readonly Request[];
  onMove: (move: Move) => void;
}

function Board({ requests, onMove }: BoardProps) {
  const columns = Object.entries(REQUEST_STATUSES)
    .map(([status, view]) => ({ status, view, own: requests.filter((request) => request.status === status) }))
    .filter(({ own, view }) => own.length > 0 || view.next);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section aria-label="Board" tabIndex={0} className="overflow-x-auto pb-2">
      <div className="flex gap-4">
        {columns.map(({ status, view, own }) => (
          <section key={status} aria-label={view.label} className="w-64 shrink-0 rounded-xl bg-sunken p-3">
            <h2 className="mb-3 flex items-center justify-between text-sm font-semibold">
              {view.label}
              <span className="font-normal text-muted">{own.length}</span>
            </h2>
            <ul className="space-y-3">
              {own.map((request) => (
                <li key={request.id}>
                  <RequestCard request={request} onMove={onMove} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

function RequestCard({ request, onMove }: { request: Request; onMove: (move: Move) => void }) {
  const canMove = useIsAllowed('connector_requests:move');
  const { next, action, tone } = REQUEST_STATUSES[request.status];
  const note = request.moves?.[0]?.note;
  return (
    <article className="rounded-lg border border-line bg-surface p-3 text-sm shadow-sm">
      <h3 className="font-medium break-words">{request.connectorName}</h3>
      {request.notes && <p className="mt-1 line-clamp-4 text-muted">{request.notes}</p>}
      {note && <p className="mt-2 border-l-2 border-line pl-2 text-xs text-muted">{note}</p>}
      {request.resultConnector && (
        <p className="mt-2">
          <Badge tone={tone}>{request.resultConnector.name}</Badge>
        </p>
      )}
      <p className="mt-2 text-xs text-muted">
        <TimeAgo at={request.createdAt} />
        {request.createdByUser.name && ` by ${request.createdByUser.name}`}
      </p>
      {canMove && next && (
        <div className="mt-3 flex flex-wrap gap-x-1 gap-y-2">
          <MoveButton kind="secondary" label={action as string} move={{ request, to: next }} onMove={onMove} />
          <MoveButton kind="quiet" label="Decline" move={{ request, to: 'declined' }} onMove={onMove} />
          <MoveButton kind="quiet" label="Duplicate" move={{ request, to: 'duplicate' }} onMove={onMove} />
        </div>
      )}
    </article>
  );
}

interface MoveButtonProps {
  kind: 'secondary' | 'quiet';
  label: string;
  move: Move;
  onMove: (move: Move) => void;
}

function MoveButton({ kind, label, move, onMove }: MoveButtonProps) {
  return (
    <Button kind={kind} className="px-2.5! py-1! text-xs!" onClick={() => onMove(move)}>
      {label}
      <span className="sr-only"> {move.request.connectorName}</span>
    </Button>
  );
}
