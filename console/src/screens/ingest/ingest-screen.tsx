import { getRouteApi, Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import type { IngestTapsQuery } from '../../gql/graphql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button, buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { pageVariables } from '../../ui/list-page.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import { SearchField } from '../../ui/search-field.js';
import { Tabs } from '../../ui/tabs.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { isAccepted } from './token-state.js';

const ingestRoute = getRouteApi('/w/$workspace/ingest');

const tapsQuery = graphql(`
  query IngestTaps(
    $filter: TenantConnectorTapFilter
    $limit: Int!
    $offset: Int!
    $all: Boolean!
    $readsTables: Boolean!
    $readsTokens: Boolean!
  ) {
    pushed: pushedTaps(filter: $filter, limit: $limit, offset: $offset) @skip(if: $all) {
      total
      items {
        ...IngestTapRow
      }
    }
    all: tenantConnectorTaps(filter: $filter, limit: $limit, offset: $offset) @include(if: $all) {
      total
      items {
        ...IngestTapRow
      }
    }
  }

  fragment IngestTapRow on TenantConnectorTap {
    id
    name
    enabled
    instance {
      id
      name
      connector {
        id
        name
      }
    }
    ingestTokens(limit: 10) @include(if: $readsTokens) {
      id
      expiresAt
      revokedAt
      rotatedAt
    }
    pendingBatchesTotal @include(if: $readsTokens)
    table @include(if: $readsTables) {
      id
      rows
      rejectedRows
      heldRecords
      lastReceivedAt
    }
  }
`);

type Tap = NonNullable<IngestTapsQuery['pushed']>['items'][number];

const TABS = [
  { key: 'receiving', label: 'Receiving' },
  { key: 'all', label: 'All taps' },
] as const;

export function IngestScreen() {
  const { workspace } = ingestRoute.useParams();
  const { name, page = 1, show = 'receiving' } = ingestRoute.useSearch();
  const navigate = ingestRoute.useNavigate();
  const [result, reload] = useQuery({
    query: tapsQuery,
    variables: {
      ...{ filter: name ? { name } : null, ...pageVariables(page), all: show === 'all' },
      ...{ readsTables: useIsAllowed('catalog:read'), readsTokens: useIsAllowed('ingest_tokens:read') },
    },
  });
  return (
    <Page title="Ingest" lead="Taps that receive records from webhooks and programs. Each sender has its own address.">
      <Tabs
        label="Taps"
        tabs={TABS}
        current={show}
        onChange={(next) => navigate({ search: next === 'all' ? { show: 'all' } : {}, replace: true })}
      />
      <SearchField
        label="Search by name"
        value={name ?? ''}
        onChange={(text) => navigate({ search: ({ show }) => ({ show, ...(text && { name: text }) }), replace: true })}
      />
      <QueryView result={result} onRetry={reload}>
        {({ pushed, all }) => {
          const list = all ?? pushed;
          if (!list?.items.length) return <NoTaps name={name} isAll={show === 'all'} workspace={workspace} />;
          return (
            <>
              <Card>
                <DataTable
                  columns={columnsOf(workspace)}
                  rows={list.items}
                  keyOf={({ id }) => id}
                  label={show === 'all' ? 'All taps' : 'Taps with pushed records'}
                />
              </Card>
              <Pager
                page={page}
                total={list.total}
                onChange={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
              />
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

function columnsOf(workspace: string): readonly [Column<Tap>, ...Column<Tap>[]] {
  return [
    {
      title: 'Tap',
      cell: ({ id, name, instance, enabled }) => (
        <Link to="/w/$workspace/ingest/$tap" params={{ workspace, tap: id }} className="group block">
          <span className="font-medium group-hover:underline">{name}</span>
          <span className="block text-xs font-normal text-muted">
            {instance ? (instance.name ?? instance.connector.name) : 'Published file'}
            {!enabled && ', disabled'}
          </span>
        </Link>
      ),
    },
    { title: 'Tokens', align: 'right', cell: ({ ingestTokens }) => acceptedTokens(ingestTokens ?? []) },
    { title: 'Waiting', align: 'right', cell: (tap) => countCell(tap.pendingBatchesTotal, 'text-info') },
    { title: 'Rows', align: 'right', cell: ({ table }) => countCell(table?.rows, '') },
    { title: 'Rejected', align: 'right', cell: ({ table }) => countCell(table?.rejectedRows, 'text-bad') },
    { title: 'Held', align: 'right', cell: ({ table }) => countCell(table?.heldRecords, 'text-warn') },
    {
      title: 'Received',
      className: 'whitespace-nowrap',
      cell: ({ table }) => (table?.lastReceivedAt ? <TimeAgo at={table.lastReceivedAt} /> : '–'),
    },
  ];
}

function acceptedTokens(tokens: NonNullable<Tap['ingestTokens']>) {
  const count = tokens.filter((token) => isAccepted(token)).length;
  return count || <span className="text-muted">none</span>;
}

function countCell(count: number | null | undefined, className: string) {
  if (count === null || count === undefined) return '–';
  return <span className={count > 0 ? className : ''}>{count.toLocaleString('en')}</span>;
}

interface NoTapsProps {
  name: string | undefined;
  isAll: boolean;
  workspace: string;
}

function NoTaps({ name, isAll, workspace }: NoTapsProps) {
  const navigate = ingestRoute.useNavigate();
  if (name) return <EmptyState title={`No tap has “${name}” in its name`} />;
  if (isAll) {
    return (
      <EmptyState
        title="This workspace has no taps yet"
        action={
          <Link to="/w/$workspace/catalog" params={{ workspace }} className={buttonClasses('primary')}>
            Choose a vendor
          </Link>
        }
      >
        Connect a vendor that sends webhooks, or publish a file. Then create a token for the new tap here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No tap receives records yet"
      action={<Button onClick={() => navigate({ search: { show: 'all' } })}>Choose a tap</Button>}
    >
      Choose a tap and create a token. The token is an address to which webhooks and your programs send JSON records.
    </EmptyState>
  );
}
