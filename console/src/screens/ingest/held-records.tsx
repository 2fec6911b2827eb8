import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { countOf } from '../../ui/count-of.js';
import { DataTable } from '../../ui/data-table.js';
import { describeRefusal } from '../../ui/describe-refusal.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import type { IngestTap } from './ingest-tap-query.js';

const decideMutation = graphql(`
  mutation DecideHeldRecords($id: Base62Id!, $accept: Boolean!) {
    decideHeldRecords(id: $id, accept: $accept) {
      id
    }
  }
`);

interface ProposedColumn {
  readonly name: string;
  readonly type: string;
  readonly records: number;
}

interface HeldRecordsProps {
  tap: IngestTap;
  onChange: () => void;
}

export function HeldRecords({ tap, onChange }: HeldRecordsProps) {
  const canDecide = useIsAllowed('taps:write');
  const [asks, setAsks] = useState(false);
  const [result, decide] = useMutation(decideMutation);
  const columns = (tap.table?.proposedColumns ?? []) as unknown as ProposedColumn[];
  const held = tap.table?.heldRecords ?? 0;
  const submit = async (accept: boolean): Promise<void> => {
    const { data } = await decide({ id: tap.id, accept });
    if (!data?.decideHeldRecords) return;
    setAsks(false);
    onChange();
  };
  return (
    <Card
      title={`${countOf(held, 'record')} held for a decision`}
      actions={
        canDecide && (
          <span className="flex gap-2">
            <Button onClick={() => setAsks(true)}>Refuse</Button>
            <Button kind="primary" isBusy={result.fetching} onClick={() => submit(true)}>
              Accept {countOf(columns.length, 'column')}
            </Button>
          </span>
        )
      }
    >
      <p className="px-5 pt-4 text-sm text-muted">
        These records have fields for which the table has no column. If you accept the new columns, the service adds
        them to the table and loads the records.
      </p>
      {result.error && (
        <div className="px-5 pt-4">
          <FailureNotice error={result.error} />
        </div>
      )}
      <DataTable
        columns={[
          { title: 'New column', className: 'font-mono font-normal', cell: ({ name }) => name },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'Records', align: 'right', cell: ({ records }) => records.toLocaleString('en') },
        ]}
        rows={columns}
        keyOf={({ name }) => name}
        label="New columns"
      />
      {asks && (
        <ConfirmDialog
          title="Refuse the new fields?"
          confirmLabel="Refuse"
          isBusy={result.fetching}
          onConfirm={() => submit(false)}
          onClose={() => setAsks(false)}
        >
          {describeRefusal(held, columns)}
        </ConfirmDialog>
      )}
    </Card>
  );
}
