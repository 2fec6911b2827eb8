import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import type { UserStatusChange } from '../../gql/graphql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { CheckboxList } from '../../ui/checkbox-list.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import type { GrantableRole, Person } from './people-query.js';

const changeMutation = graphql(`
  mutation ChangeUser($id: Base62Id!, $input: UserInput!) {
    updateUser(id: $id, input: $input) {
      id
      status
    }
  }
`);

const revokeMutation = graphql(`
  mutation RevokeInvitation($id: Base62Id!) {
    revokeInvite(inviteId: $id)
  }
`);

export type PersonAction = 'roles' | 'suspend' | 'reactivate' | 'uninvite';

interface PersonActionsProps {
  person: Person;
  isSelf: boolean;
  canChange: boolean;
  onChoose: (action: PersonAction) => void;
}

export function PersonActions({ person, isSelf, canChange, onChoose }: PersonActionsProps) {
  const canAssign = useIsAllowed('roles:write') && canChange;
  const canRevoke = useIsAllowed('invitations:revoke');
  const { status } = person;
  const isInvited = status === 'PENDING' && person.invitations?.[0]?.status === 'pending';
  const actions: readonly [action: PersonAction, label: string, isOffered: boolean][] = [
    ['roles', 'Roles', canAssign],
    ['suspend', 'Suspend', canAssign && status === 'ACTIVE' && !isSelf],
    ['reactivate', 'Reactivate', canAssign && (status === 'SUSPENDED' || isFormerMember(person))],
    ['uninvite', 'Revoke invitation', canRevoke && isInvited],
  ];
  return (
    <span className="flex justify-end gap-1">
      {actions
        .filter(([, , isOffered]) => isOffered)
        .map(([action, label]) => (
          <Button key={action} kind="quiet" onClick={() => onChoose(action)}>
            {label}
            <span className="sr-only"> {person.email}</span>
          </Button>
        ))}
    </span>
  );
}

/** A deactivated user who never accepted the invitation was not a member. */
function isFormerMember({ status, invitations }: Person): boolean {
  return status === 'DEACTIVATED' && (invitations?.[0]?.status ?? 'accepted') === 'accepted';
}

interface PersonDialogProps {
  person: Person;
  action: PersonAction;
  roles: readonly GrantableRole[];
  onClose: () => void;
}

export function PersonDialog({ person, action, roles, onClose }: PersonDialogProps) {
  const [changed, change] = useMutation(changeMutation);
  const [revoked, revoke] = useMutation(revokeMutation);
  const setStatus = async (status: UserStatusChange): Promise<void> => {
    const { data } = await change({ id: person.id, input: { status } });
    if (data?.updateUser) onClose();
  };
  const uninvite = async (): Promise<void> => {
    const { data } = await revoke({ id: person.invitations?.[0]?.id as string });
    if (data?.revokeInvite) onClose();
  };
  const assign = async (form: FormData): Promise<void> => {
    const { data } = await change({ id: person.id, input: { roleIds: form.getAll('roles') as string[] } });
    if (data?.updateUser) onClose();
  };
  const error = changed.error ?? revoked.error;
  const failure = error && <FailureNotice error={error} />;
  if (action === 'roles') {
    return (
      <FormDialog
        title={`Roles of ${person.name || person.email}`}
        submitLabel="Save roles"
        isBusy={changed.fetching}
        isDone={false}
        onSubmit={assign}
        onClose={onClose}
      >
        <CheckboxList
          label="Roles"
          name="roles"
          options={roles.map(({ id, name, description }) => ({
            ...{ value: id, label: name, help: description ?? undefined },
          }))}
          checked={new Set(person.roles.map(({ id }) => id))}
        />
        {failure}
      </FormDialog>
    );
  }
  const { title, text, label, run } = {
    suspend: {
      ...{ title: `Suspend ${person.email}?`, label: 'Suspend', run: () => setStatus('SUSPENDED') },
      text: 'The person loses access immediately, and the API keys that the person created become invalid.',
    },
    reactivate: {
      ...{ title: `Reactivate ${person.email}?`, label: 'Reactivate', run: () => setStatus('ACTIVE') },
      text: 'The person gets access again with the same roles. The API keys that the person created become valid again.',
    },
    uninvite: {
      ...{ title: `Revoke the invitation for ${person.email}?`, label: 'Revoke invitation', run: uninvite },
      text: 'The person can no longer sign in. To give access later, invite the address again.',
    },
  }[action];
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={label}
      isBusy={changed.fetching || revoked.fetching}
      onConfirm={run}
      onClose={onClose}
    >
      {text}
      {failure}
    </ConfirmDialog>
  );
}
