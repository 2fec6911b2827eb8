import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { countOf } from '../../ui/count-of.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import type { File } from './file-query.js';

const removeMutation = graphql(`
  mutation RemoveTap($id: Base62Id!) {
    deleteTenantConnectorTap(id: $id)
  }
`);

interface RemoveTableProps {
  tap: NonNullable<File['attributedTap']>;
  onChange: () => void;
}

/** After the removal, the user can delete the file, or publish it with other types. */
export function RemoveTable({ tap, onChange }: RemoveTableProps) {
  const isAllowed = useIsAllowed('taps:delete');
  const [asks, setAsks] = useState(false);
  const [result, remove] = useMutation(removeMutation);
  if (!isAllowed) return null;
  const confirm = async (): Promise<void> => {
    const { data } = await remove({ id: tap.id });
    if (!data?.deleteTenantConnectorTap) return;
    setAsks(false);
    onChange();
  };
  return (
    <>
      <Button onClick={() => setAsks(true)}>Remove the table</Button>
      {asks && (
        <ConfirmDialog
          title={`Remove the table of ${tap.name}?`}
          confirmLabel="Remove the table"
          isBusy={result.fetching}
          onConfirm={confirm}
          onClose={() => setAsks(false)}
        >
          <p>
            The table{tap.table && ` with ${countOf(tap.table.rows, 'row')}`} disappears from the list of tables. The
            service ends the quality checks of the table and revokes the ingest tokens of its tap. The file remains, and
            you can publish it as a new table.
          </p>
          {result.error && <FailureNotice error={result.error} />}
        </ConfirmDialog>
      )}
    </>
  );
}
