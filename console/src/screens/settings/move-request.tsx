import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { SearchField } from '../../ui/search-field.js';
import { SelectField } from '../../ui/select-field.js';
import { TextField } from '../../ui/text-field.js';
import { REQUEST_STATUSES } from './request-status.js';
import type { Move } from './requests-query.js';

const moveMutation = graphql(`
  mutation MoveRequest($id: Base62Id!, $status: ConnectorRequestStatus!, $note: String, $connectorId: Base62Id) {
    moveConnectorRequest(id: $id, status: $status, note: $note, resultConnectorId: $connectorId) {
      id
      status
    }
  }
`);

const connectorsQuery = graphql(`
  query ConnectorChoices($search: String) {
    connectors(search: $search, limit: 20) {
      items {
        id
        name
      }
    }
  }
`);

interface MoveRequestProps {
  move: Move;
  onClose: () => void;
}

export function MoveRequest({ move: { request, to }, onClose }: MoveRequestProps) {
  const [connectorId, setConnectorId] = useState('');
  const [result, save] = useMutation(moveMutation);
  const submit = async (form: FormData): Promise<void> => {
    const note = String(form.get('note')).trim() || null;
    const { data } = await save({ id: request.id, status: to, note, connectorId: connectorId || null });
    if (data?.moveConnectorRequest) onClose();
  };
  const { label, next } = REQUEST_STATUSES[to];
  return (
    <FormDialog
      title={`Change the status of ${request.connectorName} to “${label}”`}
      submitLabel="Move"
      isBusy={result.fetching}
      isDone={false}
      onSubmit={submit}
      onClose={onClose}
    >
      {!next && <p className="text-sm text-muted">The request is then closed. Its status cannot change again.</p>}
      {to === 'completed' && <ConnectorField value={connectorId} onChange={setConnectorId} />}
      <TextField label="Note for the requesters" name="note" isMultiline />
      {result.error && <FailureNotice error={result.error} />}
    </FormDialog>
  );
}

function ConnectorField({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const [search, setSearch] = useState('');
  const [{ data }] = useQuery({ query: connectorsQuery, variables: { search: search || null } });
  const found = data?.connectors?.items ?? [];
  return (
    <div>
      <SearchField label="Search connectors" value={search} onChange={setSearch} />
      <SelectField
        label="New connector"
        name="connector"
        options={{ '': 'Choose a connector', ...Object.fromEntries(found.map(({ id, name }) => [id, name])) }}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}
