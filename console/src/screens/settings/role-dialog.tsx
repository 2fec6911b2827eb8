import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { SelectField } from '../../ui/select-field.js';
import { TextField } from '../../ui/text-field.js';
import { PermissionPicker } from './permission-picker.js';
import type { Role } from './roles-query.js';

const createMutation = graphql(`
  mutation CreateRole($input: RoleInput!) {
    createRole(input: $input) {
      id
    }
  }
`);

const updateMutation = graphql(`
  mutation UpdateRole($id: Base62Id!, $input: RoleInput!) {
    updateRole(id: $id, input: $input) {
      id
    }
  }
`);

interface RoleDialogProps {
  /** Undefined for a new role. */
  role?: Role;
  parents: readonly Role[];
  onClose: () => void;
}

export function RoleDialog({ role, parents, onClose }: RoleDialogProps) {
  const [parent, setParent] = useState(role?.parentRoleId ?? '');
  const [created, create] = useMutation(createMutation);
  const [updated, update] = useMutation(updateMutation);
  const error = created.error ?? updated.error;
  const submit = async (form: FormData): Promise<void> => {
    const input = {
      ...{ name: String(form.get('name')), description: String(form.get('description')) || null },
      ...{ parentRoleId: parent || null, permissions: form.getAll('permissions') as string[] },
    };
    const { data } = role ? await update({ id: role.id, input }) : await create({ input });
    if (data && Object.values(data).some(Boolean)) onClose();
  };
  return (
    <FormDialog
      title={role ? `Edit ${role.name}` : 'Create a role'}
      submitLabel={role ? 'Save role' : 'Create'}
      isBusy={created.fetching || updated.fetching}
      isDone={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" name="name" defaultValue={role?.name ?? ''} required />
      <TextField label="Purpose" name="description" defaultValue={role?.description ?? ''} />
      <SelectField
        label="Inherits from"
        name="parent"
        options={{ '': 'No role', ...Object.fromEntries(parents.map(({ id, name }) => [id, name])) }}
        value={parent}
        onChange={setParent}
      />
      <PermissionPicker checked={new Set(role?.permissions)} />
      {error && <FailureNotice error={error} />}
    </FormDialog>
  );
}
