import { useState } from 'react';
import { useQuery } from 'urql';
import { useIsAllowed } from '../../session/permissions.js';
import { Badge } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { pageVariables } from '../../ui/list-page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import { SearchField } from '../../ui/search-field.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { canGrant, grantsOf } from './grants.js';
import { InvitePerson } from './invite-person.js';
import { type Person, peopleQuery, USER_STATUSES } from './people-query.js';
import { type PersonAction, PersonActions, PersonDialog } from './person-actions.js';
import { settingsRoute } from './settings-route.js';

export function PeopleTab() {
  const { name, page = 1 } = settingsRoute.useSearch();
  const navigate = settingsRoute.useNavigate();
  const invites = useIsAllowed('invitations:write');
  const [chosen, choose] = useState<{ person: Person; action: PersonAction }>();
  const [result, reload] = useQuery({
    query: peopleQuery,
    variables: {
      ...{ filter: name ? { email: name } : null, ...pageVariables(page) },
      invites,
    },
  });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  return (
    <>
      <SearchField
        label="Search by email address"
        value={name ?? ''}
        onChange={(text) => navigate({ search: { tab: 'people', ...(text && { name: text }) }, replace: true })}
      />
      <QueryView result={result} onRetry={refresh}>
        {({ users, roles, me }) => {
          const all = roles ?? [];
          const own = grantsOf(me?.roles.map(({ id }) => id) ?? [], all);
          const grantable = all.filter(({ id }) => canGrant(own, [id], all));
          if (!users) return null;
          return (
            <Card title="People" actions={<InvitePerson roles={grantable} onChange={refresh} />}>
              {users.items.length === 0 && <EmptyState title={`No email address contains “${name}”`} />}
              {users.items.length > 0 && (
                <DataTable
                  columns={[
                    { title: 'Person', cell: (person) => <PersonName person={person} /> },
                    { title: 'Roles', cell: ({ roles }) => roles.map(({ name }) => name).join(', ') || '–' },
                    { title: 'Status', cell: (person) => <PersonStatus person={person} /> },
                    {
                      title: 'Actions',
                      align: 'right',
                      cell: (person) => (
                        <PersonActions
                          person={person}
                          isSelf={person.id === me?.id}
                          canChange={canGrant(
                            own,
                            person.roles.map(({ id }) => id),
                            all,
                          )}
                          onChoose={(action) => choose({ person, action })}
                        />
                      ),
                    },
                  ]}
                  rows={users.items}
                  keyOf={({ id }) => id}
                  label="People"
                />
              )}
              {chosen && (
                <PersonDialog
                  {...chosen}
                  roles={grantable}
                  onClose={() => {
                    choose(undefined);
                    refresh();
                  }}
                />
              )}
            </Card>
          );
        }}
      </QueryView>
      <Pager
        page={page}
        total={result.data?.users?.total ?? 0}
        onChange={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
      />
    </>
  );
}

function PersonName({ person: { name, email } }: { person: Person }) {
  return (
    <>
      <span className="block">{name || email}</span>
      {name && name !== email && <span className="block text-xs font-normal text-muted">{email}</span>}
    </>
  );
}

function PersonStatus({ person: { status, invitations } }: { person: Person }) {
  const { label, tone } = USER_STATUSES[status];
  const invitation = invitations?.[0];
  return (
    <span className="whitespace-nowrap">
      <Badge tone={tone}>{label}</Badge>
      {status === 'PENDING' && invitation && (
        <span className="ml-2 text-xs text-muted">
          expires <TimeAgo at={invitation.expiresAt} />
        </span>
      )}
    </span>
  );
}
