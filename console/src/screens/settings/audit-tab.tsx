import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import type { AuditQuery } from '../../gql/graphql.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { pageVariables } from '../../ui/list-page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { AuditFilters } from './audit-filters.js';
import { settingsRoute } from './settings-route.js';

const auditQuery = graphql(`
  query Audit($filter: AuditEntryFilter, $limit: Int!, $offset: Int!) {
    auditEntries(filter: $filter, limit: $limit, offset: $offset) {
      total
      items {
        id
        at
        action
        actorKind
        actorId
        actorUser {
          id
          name
          apiKey {
            id
            name
          }
        }
        objectType
        objectId
        requestId
        details
      }
    }
  }
`);

type Entry = NonNullable<AuditQuery['auditEntries']>['items'][number];

type Search = ReturnType<typeof settingsRoute.useSearch>;

export function AuditTab() {
  const search = settingsRoute.useSearch();
  const { page = 1 } = search;
  const navigate = settingsRoute.useNavigate();
  const [result, reload] = useQuery({
    query: auditQuery,
    variables: { filter: filterOf(search), ...pageVariables(page) },
  });
  const narrow = (more: Partial<Search>): void => {
    navigate({ search: ({ page, ...old }) => ({ ...old, ...more }) });
  };
  return (
    <>
      <AuditFilters search={search} onChange={narrow} onClear={() => navigate({ search: { tab: 'audit' } })} />
      <QueryView result={result} onRetry={reload}>
        {({ auditEntries }) => (
          <Card>
            {auditEntries?.items.length ? (
              <DataTable
                columns={columnsOf(narrow)}
                rows={auditEntries.items}
                keyOf={({ id }) => id}
                label="Audit trail"
              />
            ) : (
              <EmptyState title="No entry matches these filters">Remove a filter to see more entries.</EmptyState>
            )}
          </Card>
        )}
      </QueryView>
      <Pager
        page={page}
        total={result.data?.auditEntries?.total ?? 0}
        onChange={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
      />
    </>
  );
}

function filterOf({ action, actor, object, request, from, until }: Search) {
  return {
    ...(action && { action: [action] }),
    ...(actor && { actorId: [actor] }),
    ...(object && { objectId: [object] }),
    ...(request && { requestId: [request] }),
    ...((from || until) && { at: { ...(from && { from: startOf(from) }), ...(until && { until: endOf(until) }) } }),
  };
}

/** Days start at midnight in the time zone of the browser. */
function startOf(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

function endOf(day: string): string {
  const end = new Date(`${day}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}

function columnsOf(narrow: (more: Partial<Search>) => void): readonly [Column<Entry>, ...Column<Entry>[]] {
  return [
    {
      title: 'Action',
      className: 'align-top font-normal',
      cell: ({ action }) => <Filter label={action} onClick={() => narrow({ action })} />,
    },
    {
      title: 'Actor',
      className: 'align-top',
      cell: (entry) => <Filter label={actorOf(entry)} onClick={() => narrow({ actor: entry.actorId })} />,
    },
    {
      title: 'Object',
      className: 'align-top',
      cell: ({ objectType, objectId }) => (
        <Filter label={`${objectType} ${objectId.slice(0, 8)}…`} onClick={() => narrow({ object: objectId })} />
      ),
    },
    {
      title: 'Details',
      className: 'max-w-56 align-top text-xs text-muted',
      cell: ({ details }) => <Details details={details as Record<string, unknown> | null} />,
    },
    { title: 'Time', className: 'align-top whitespace-nowrap', cell: ({ at }) => <TimeAgo at={at} /> },
    {
      title: 'Request',
      className: 'align-top font-mono text-xs',
      cell: ({ requestId }) => (
        <Filter label={`${requestId.slice(0, 8)}…`} onClick={() => narrow({ request: requestId })} />
      ),
    },
  ];
}

function actorOf({ actorKind, actorUser: { name, apiKey } }: Entry): string {
  return apiKey ? `key ${apiKey.name}` : (name ?? actorKind);
}

function Filter({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button kind="quiet" className="-ml-2! px-2! py-0! text-left text-ink!" title="Show only these" onClick={onClick}>
      {label}
    </Button>
  );
}

function Details({ details }: { details: Record<string, unknown> | null | undefined }) {
  const entries = Object.entries(details ?? {});
  if (entries.length === 0) return '–';
  const text = entries.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return (
    <span className="line-clamp-3 break-words" title={text.join('\n')}>
      {text.join(', ')}
    </span>
  );
}
