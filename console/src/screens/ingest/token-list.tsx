import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { CREATED, LAST_USED } from '../../ui/usage-columns.js';
import type { IngestTap, IngestToken } from './ingest-tap-query.js';
import { MintToken } from './mint-token.js';
import { isAccepted, TOKEN_STATES, tokenStateOf } from './token-state.js';

const rotateMutation = graphql(`
  mutation RotateIngestToken($id: Base62Id!) {
    rotateIngestToken(id: $id) {
      endpointUrl
    }
  }
`);

const revokeMutation = graphql(`
  mutation RevokeIngestToken($id: Base62Id!) {
    revokeIngestToken(id: $id)
  }
`);

interface TokenListProps {
  tap: IngestTap;
  onMinted: (endpointUrl: string) => void;
  onChange: () => void;
}

export function TokenList({ tap, onMinted, onChange }: TokenListProps) {
  const tokens = tap.ingestTokens ?? [];
  const [revoking, setRevoking] = useState<IngestToken>();
  const [rotating, setRotating] = useState<IngestToken>();
  const mint = <MintToken tapId={tap.id} onMinted={onMinted} />;
  return (
    <Card title="Tokens" actions={tokens.length > 0 && mint}>
      {tokens.length === 0 ? (
        <EmptyState title="This tap has no token" action={mint}>
          A sender posts its records to the address of a token. Create one token per sender.
        </EmptyState>
      ) : (
        <DataTable columns={columnsOf(setRotating, setRevoking)} rows={tokens} keyOf={({ id }) => id} label="Tokens" />
      )}
      {rotating && (
        <RotateDialog
          token={rotating}
          onRotated={onMinted}
          onClose={() => {
            setRotating(undefined);
            onChange();
          }}
        />
      )}
      {revoking && (
        <RevokeDialog
          token={revoking}
          isLast={tokens.filter((token) => isAccepted(token)).length === 1}
          onClose={() => {
            setRevoking(undefined);
            onChange();
          }}
        />
      )}
    </Card>
  );
}

type Choose = (token: IngestToken) => void;

function columnsOf(rotate: Choose, revoke: Choose): readonly [Column<IngestToken>, ...Column<IngestToken>[]] {
  return [
    { title: 'Token', className: 'font-mono font-normal', cell: ({ prefix }) => `${prefix}…` },
    { title: 'State', cell: (token) => <TokenBadge token={token} /> },
    { title: 'Valid until', className: 'whitespace-nowrap', cell: (token) => <ValidUntil token={token} /> },
    LAST_USED,
    CREATED,
    { title: 'Actions', align: 'right', cell: (token) => <TokenActions token={token} {...{ rotate, revoke }} /> },
  ];
}

function TokenBadge({ token }: { token: IngestToken }) {
  const { label, tone } = TOKEN_STATES[tokenStateOf(token)];
  return <Badge tone={tone}>{label}</Badge>;
}

function ValidUntil({ token }: { token: IngestToken }) {
  const { expiresAt, revokedAt } = token;
  if (revokedAt) return <TimeAgo at={revokedAt} />;
  return expiresAt ? <TimeAgo at={expiresAt} /> : 'no expiry';
}

function TokenActions({ token, rotate, revoke }: { token: IngestToken; rotate: Choose; revoke: Choose }) {
  const canRotate = useIsAllowed('ingest_tokens:rotate');
  const canRevoke = useIsAllowed('ingest_tokens:revoke');
  const state = tokenStateOf(token);
  return (
    <span className="flex justify-end gap-1">
      {canRotate && state === 'live' && (
        <Button kind="quiet" onClick={() => rotate(token)}>
          Rotate<span className="sr-only"> {token.prefix}</span>
        </Button>
      )}
      {canRevoke && isAccepted(token) && (
        <Button kind="quiet" onClick={() => revoke(token)}>
          Revoke<span className="sr-only"> {token.prefix}</span>
        </Button>
      )}
    </span>
  );
}

interface RotateDialogProps {
  token: IngestToken;
  onRotated: (endpointUrl: string) => void;
  onClose: () => void;
}

function RotateDialog({ token, onRotated, onClose }: RotateDialogProps) {
  const [result, rotate] = useMutation(rotateMutation);
  const confirm = async (): Promise<void> => {
    const { data } = await rotate({ id: token.id });
    if (!data?.rotateIngestToken) return;
    onRotated(data.rotateIngestToken.endpointUrl);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Rotate ${token.prefix}…?`}
      confirmLabel="Rotate the token"
      isBusy={result.fetching}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        You get a new address with the same expiry. The old address remains valid during a grace period. The list of
        tokens shows when this period ends. Give the sender the new address before that time.
      </p>
      {result.error && <FailureNotice error={result.error} />}
    </ConfirmDialog>
  );
}

interface RevokeDialogProps {
  token: IngestToken;
  /** Whether the token is the only valid token of the tap. */
  isLast: boolean;
  onClose: () => void;
}

function RevokeDialog({ token, isLast, onClose }: RevokeDialogProps) {
  const [result, revoke] = useMutation(revokeMutation);
  const confirm = async (): Promise<void> => {
    const { data } = await revoke({ id: token.id });
    if (data?.revokeIngestToken) onClose();
  };
  return (
    <ConfirmDialog
      title={`Revoke ${token.prefix}…?`}
      confirmLabel="Revoke the token"
      isBusy={result.fetching}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        The address becomes invalid immediately, and cannot be restored. Deliveries to this address fail with 401.
        {isLast && ' The tap has no other valid token, so after the revocation, it accepts no records.'} Rows that have
        arrived remain.
      </p>
      {result.error && <FailureNotice error={result.error} />}
    </ConfirmDialog>
  );
}
