import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { expiryIn, LIFETIMES, type Lifetime } from '../../ui/lifetimes.js';
import { SelectField } from '../../ui/select-field.js';

const mintMutation = graphql(`
  mutation MintIngestToken($tapId: Base62Id!, $expiresAt: DateTime) {
    mintIngestToken(tenantConnectorTapId: $tapId, expiresAt: $expiresAt) {
      endpointUrl
    }
  }
`);

interface MintTokenProps {
  tapId: string;
  onMinted: (endpointUrl: string) => void;
}

export function MintToken({ tapId, onMinted }: MintTokenProps) {
  const isAllowed = useIsAllowed('ingest_tokens:mint');
  const [isOpen, setOpen] = useState(false);
  const [lifetime, setLifetime] = useState<Lifetime>('none');
  const [result, mint] = useMutation(mintMutation);
  if (!isAllowed) return null;
  const submit = async (): Promise<void> => {
    const { data } = await mint({ tapId, expiresAt: expiryIn(lifetime) });
    if (!data?.mintIngestToken) return;
    setOpen(false);
    onMinted(data.mintIngestToken.endpointUrl);
  };
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Create a token
      </Button>
      {isOpen && (
        <FormDialog
          title="Create a token"
          submitLabel="Create"
          isBusy={result.fetching}
          isDone={false}
          onSubmit={submit}
          onClose={() => setOpen(false)}
        >
          <SelectField label="Expires" name="lifetime" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
          <p className="text-sm text-muted">
            The service shows the address only once. A tap can have at most 5 tokens, not counting rotated, expired and
            revoked tokens.
          </p>
          {result.error && <FailureNotice error={result.error} />}
        </FormDialog>
      )}
    </>
  );
}
