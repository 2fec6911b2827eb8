import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Notice } from '../../ui/notice.js';
import { TextField } from '../../ui/text-field.js';

const requestMutation = graphql(`
  mutation RequestConnector($name: String!, $notes: String) {
    createConnectorRequest(connectorName: $name, notes: $notes) {
      id
      status
    }
  }
`);

export function RequestConnector({ name }: { name: string | undefined }) {
  const isAllowed = useIsAllowed('connector_requests:write');
  const [isOpen, setOpen] = useState(false);
  const [result, request] = useMutation(requestMutation);
  if (!isAllowed) return null;
  const submit = (form: FormData): void => {
    request({ name: String(form.get('name')), notes: String(form.get('notes')) || null });
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Request a connector</Button>
      {isOpen && (
        <FormDialog
          title="Request a connector"
          submitLabel="Send request"
          isBusy={result.fetching}
          isDone={Boolean(result.data?.createConnectorRequest)}
          onSubmit={submit}
          onClose={() => setOpen(false)}
        >
          {result.data?.createConnectorRequest ? (
            <Notice tone="good" title="Request sent">
              The operators of this service can see your request.
            </Notice>
          ) : (
            <>
              <TextField label="Vendor or product" name="name" defaultValue={name ?? ''} required />
              <TextField label="Which data do you need?" name="notes" isMultiline />
              {result.error && <FailureNotice error={result.error} />}
            </>
          )}
        </FormDialog>
      )}
    </>
  );
}
