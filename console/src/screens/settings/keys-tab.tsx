import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import type { ApiKeysQuery } from '../../gql/graphql.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { pageVariables } from '../../ui/list-page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { StatusView } from '../../ui/tone.js';
import { CREATED, LAST_USED } from '../../ui/usage-columns.js';
import { CreateKey } from './create-key.js';
import { settingsRoute } from './settings-route.js';

const keysQuery = graphql(`
  query ApiKeys($limit: Int!, $offset: Int!) {
    apiKeys(limit: $limit, offset: $offset) {
      total
      items {
        id
        name
        ending
        permissions
        createdAt
        createdByUser {
          id
          name
        }
        expiresAt
        lastUsedAt
        revokedAt
      }
    }
  }
`);

const revokeMutation = graphql(`
  mutation RevokeApiKey($id: Base62Id!) {
    revokeApiKey(id: $id)
  }
`);

type ApiKey = NonNullable<ApiKeysQuery['apiKeys']>['items'][number];

export function KeysTab() {
  const { page = 1 } = settingsRoute.useSearch();
  const navigate = settingsRoute.useNavigate();
  const [revoking, setRevoking] = useState<ApiKey>();
  const variables = pageVariables(page);
  const [result, reload] = useQuery({ query: keysQuery, variables });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  const create = <CreateKey onChange={refresh} />;
  return (
    <>
      <QueryView result={result} onRetry={refresh}>
        {({ apiKeys }) => (
          <Card title="API keys" actions={Boolean(apiKeys?.items.length) && create}>
            {apiKeys?.items.length ? (
              <DataTable
                columns={columnsOf(setRevoking)}
                rows={apiKeys.items}
                keyOf={({ id }) => id}
                label="API keys"
              />
            ) : (
              <EmptyState title="No API keys yet" action={create}>
                Programs use an API key instead of a sign-in. Give each program its own key.
              </EmptyState>
            )}
          </Card>
        )}
      </QueryView>
      <Pager
        page={page}
        total={result.data?.apiKeys?.total ?? 0}
        onChange={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
      />
      {revoking && (
        <RevokeDialog
          apiKey={revoking}
          onClose={() => {
            setRevoking(undefined);
            refresh();
          }}
        />
      )}
    </>
  );
}

function columnsOf(revoke: (key: ApiKey) => void): readonly [Column<ApiKey>, ...Column<ApiKey>[]] {
  return [
    { title: 'Name', cell: (key) => <KeyName apiKey={key} /> },
    {
      title: 'Permissions',
      className: 'max-w-64',
      cell: ({ permissions }) => <span className="text-xs break-words">{permissions.join(', ')}</span>,
    },
    { title: 'State', cell: (key) => <KeyBadge apiKey={key} /> },
    LAST_USED,
    CREATED,
    {
      title: 'Actions',
      align: 'right',
      cell: (key) =>
        isValid(key) && (
          <Button kind="quiet" onClick={() => revoke(key)}>
            Revoke<span className="sr-only"> {key.name}</span>
          </Button>
        ),
    },
  ];
}

function KeyName({ apiKey: { name, ending } }: { apiKey: ApiKey }) {
  return (
    <>
      <span className="block">{name}</span>
      <span className="block font-mono text-xs font-normal text-muted">wak_…{ending}</span>
    </>
  );
}

function isValid({ revokedAt, expiresAt }: ApiKey): boolean {
  return !revokedAt && !(expiresAt && Date.parse(expiresAt) <= Date.now());
}

function KeyBadge({ apiKey }: { apiKey: ApiKey }) {
  const { label, tone } = stateOf(apiKey);
  return (
    <span className="whitespace-nowrap">
      <Badge tone={tone}>{label}</Badge>
      {isValid(apiKey) && apiKey.expiresAt && (
        <span className="ml-2 text-xs text-muted">
          expires <TimeAgo at={apiKey.expiresAt} />
        </span>
      )}
    </span>
  );
}

function stateOf(key: ApiKey): StatusView {
  if (key.revokedAt) return { label: 'Revoked', tone: 'neutral' };
  return isValid(key) ? { label: 'Live', tone: 'good' } : { label: 'Expired', tone: 'neutral' };
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [result, revoke] = useMutation(revokeMutation);
  const confirm = async (): Promise<void> => {
    const { data } = await revoke({ id: apiKey.id });
    if (data?.revokeApiKey) onClose();
  };
  return (
    <ConfirmDialog
      title={`Revoke “${apiKey.name}”?`}
      confirmLabel="Revoke the key"
      isBusy={result.fetching}
      onConfirm={confirm}
      onClose={onClose}
    >
      Programs with this key lose access immediately. The key cannot be restored.
      {result.error && <FailureNotice error={result.error} />}
    </ConfirmDialog>
  );
}
