import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { Button } from '../../ui/button.js';
import { CopyBlock } from '../../ui/copy-block.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { expiryIn, LIFETIMES, type Lifetime } from '../../ui/lifetimes.js';
import { Notice } from '../../ui/notice.js';
import { SelectField } from '../../ui/select-field.js';
import { TextField } from '../../ui/text-field.js';
import { PermissionPicker } from './permission-picker.js';

const createMutation = graphql(`
  mutation CreateApiKey($input: ApiKeyInput!) {
    createApiKey(input: $input) {
      key
    }
  }
`);

export function CreateKey({ onChange }: { onChange: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Create an API key
      </Button>
      {isOpen && (
        <CreateDialog
          onClose={() => {
            setOpen(false);
            onChange();
          }}
        />
      )}
    </>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const [lifetime, setLifetime] = useState<Lifetime>('365');
  const [result, create] = useMutation(createMutation);
  const key = result.data?.createApiKey?.key;
  const submit = (form: FormData): void => {
    const permissions = form.getAll('permissions') as string[];
    create({ input: { name: String(form.get('name')), permissions, expiresAt: expiryIn(lifetime) } });
  };
  return (
    <FormDialog
      title={key ? 'Copy the key now' : 'Create an API key'}
      submitLabel="Create"
      isBusy={result.fetching}
      isDone={key !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      {key ? (
        <>
          <Notice tone="warn">The service shows the key only once. Store the key where the program can read it.</Notice>
          <CopyBlock title="API key" text={key} />
        </>
      ) : (
        <>
          <TextField label="Name" name="name" help="The program that uses the key." required />
          <SelectField label="Expires" name="lifetime" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
          <PermissionPicker checked={new Set()} />
          {result.error && <FailureNotice error={result.error} />}
        </>
      )}
    </FormDialog>
  );
}
