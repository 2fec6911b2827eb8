import { type ReactNode, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { QueryView } from '../../ui/query-view.js';
import { canGrant, grantsOf } from './grants.js';
import { RoleDialog } from './role-dialog.js';
import { type Role, rolesQuery } from './roles-query.js';

const deleteMutation = graphql(`
  mutation DeleteRole($id: Base62Id!) {
    deleteRole(id: $id)
  }
`);

/** The service rejects changes to built-in roles. */
const BUILT_IN = ['owner', 'admin', 'editor', 'operator', 'viewer'];

type Open = { kind: 'create' } | { kind: 'edit' | 'delete'; role: Role };

export function RolesTab() {
  const canWrite = useIsAllowed('roles:write');
  const [open, setOpen] = useState<Open>();
  const [result, reload] = useQuery({ query: rolesQuery });
  const close = (): void => {
    setOpen(undefined);
    reload({ requestPolicy: 'network-only' });
  };
  return (
    <QueryView result={result} onRetry={reload}>
      {({ roles, me }) => {
        const all = roles ?? [];
        const own = grantsOf(me?.roles.map(({ id }) => id) ?? [], all);
        const grantable = all.filter(({ id }) => canGrant(own, [id], all));
        const actionsOf = (role: Role) =>
          canWrite &&
          grantable.includes(role) &&
          !BUILT_IN.includes(role.name) && (
            <span className="flex justify-end gap-1">
              <Button kind="quiet" onClick={() => setOpen({ kind: 'edit', role })}>
                Edit<span className="sr-only"> {role.name}</span>
              </Button>
              {!role.usersTotal && !role.childRolesTotal && (
                <Button kind="quiet" onClick={() => setOpen({ kind: 'delete', role })}>
                  Delete<span className="sr-only"> {role.name}</span>
                </Button>
              )}
            </span>
          );
        return (
          <Card
            title="Roles"
            actions={
              canWrite && (
                <Button kind="primary" onClick={() => setOpen({ kind: 'create' })}>
                  Create a role
                </Button>
              )
            }
          >
            <DataTable
              columns={columnsOf(all, canWrite ? actionsOf : undefined)}
              rows={all}
              keyOf={({ id }) => id}
              label="Roles"
            />
            {open?.kind === 'create' && <RoleDialog parents={grantable} onClose={close} />}
            {open?.kind === 'edit' && (
              <RoleDialog
                role={open.role}
                parents={grantable.filter((role) => role.id !== open.role.id)}
                onClose={close}
              />
            )}
            {open?.kind === 'delete' && <DeleteDialog role={open.role} onClose={close} />}
          </Card>
        );
      }}
    </QueryView>
  );
}

type ActionsOf = (role: Role) => ReactNode;

function columnsOf(all: readonly Role[], actionsOf?: ActionsOf): readonly [Column<Role>, ...Column<Role>[]] {
  return [
    {
      title: 'Role',
      className: 'min-w-40 align-top',
      cell: ({ name, description }) => (
        <>
          <span className="block">{name}</span>
          <span className="block text-xs font-normal text-muted">{description}</span>
        </>
      ),
    },
    {
      title: 'Permissions',
      className: 'min-w-64 align-top text-xs leading-5',
      cell: ({ permissions }) => permissions.join(', ') || '–',
    },
    {
      title: 'Inherits from',
      className: 'align-top',
      cell: ({ parentRoleId }) => all.find(({ id }) => id === parentRoleId)?.name ?? '–',
    },
    { title: 'Users', align: 'right', className: 'align-top', cell: ({ usersTotal }) => usersTotal ?? '–' },
    ...(actionsOf ? [{ title: 'Actions', align: 'right', className: 'align-top', cell: actionsOf } as const] : []),
  ];
}

function DeleteDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const [result, remove] = useMutation(deleteMutation);
  const confirm = async (): Promise<void> => {
    const { data } = await remove({ id: role.id });
    if (data?.deleteRole) onClose();
  };
  return (
    <ConfirmDialog
      title={`Delete “${role.name}”?`}
      confirmLabel="Delete the role"
      isBusy={result.fetching}
      onConfirm={confirm}
      onClose={onClose}
    >
      No user has this role. After the deletion, you cannot restore the role or its list of permissions.
      {result.error && <FailureNotice error={result.error} />}
    </ConfirmDialog>
  );
}
