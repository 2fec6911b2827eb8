import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { CheckboxList } from '../../ui/checkbox-list.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Notice } from '../../ui/notice.js';
import { TextField } from '../../ui/text-field.js';
import type { GrantableRole } from './people-query.js';

const inviteMutation = graphql(`
  mutation InvitePerson($email: String!, $roleIds: [Base62Id!]!) {
    inviteUser(email: $email, roleIds: $roleIds) {
      id
      email
    }
  }
`);

interface InvitePersonProps {
  roles: readonly GrantableRole[];
  onChange: () => void;
}

export function InvitePerson({ roles, onChange }: InvitePersonProps) {
  const isAllowed = useIsAllowed('invitations:write');
  const [isOpen, setOpen] = useState(false);
  if (!isAllowed) return null;
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Invite a person
      </Button>
      {isOpen && (
        <InviteDialog
          roles={roles}
          onClose={() => {
            setOpen(false);
            onChange();
          }}
        />
      )}
    </>
  );
}

function InviteDialog({ roles, onClose }: { roles: readonly GrantableRole[]; onClose: () => void }) {
  const [result, invite] = useMutation(inviteMutation);
  const invited = result.data?.inviteUser;
  const submit = (form: FormData): void => {
    invite({ email: String(form.get('email')), roleIds: form.getAll('roles') as string[] });
  };
  return (
    <FormDialog
      title="Invite a person"
      submitLabel="Invite"
      isBusy={result.fetching}
      isDone={Boolean(invited)}
      onSubmit={submit}
      onClose={onClose}
    >
      {invited ? (
        <Notice tone="good" title={`${invited.email} is invited`}>
          The service sends no email. Tell the person to sign in with this address within 14 days.
        </Notice>
      ) : (
        <>
          <TextField label="Email address" name="email" type="email" required />
          <CheckboxList
            label="Roles"
            name="roles"
            options={roles.map(({ id, name, description }) => ({
              ...{ value: id, label: name, help: description ?? undefined },
            }))}
            checked={new Set(roles.filter(({ name }) => name === 'viewer').map(({ id }) => id))}
          />
          {result.error && <FailureNotice error={result.error} />}
        </>
      )}
    </FormDialog>
  );
}
