import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { countOf } from '../../ui/count-of.js';
import { describeRefusal } from '../../ui/describe-refusal.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { isFuture } from '../../ui/is-future.js';
import { Notice } from '../../ui/notice.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { QualityTable } from './table-quality-query.js';

const decideRowsMutation = graphql(`
  mutation DecideHeldRows($id: Base62Id!, $accept: Boolean!) {
    decideHeldRows(id: $id, accept: $accept) {
      id
    }
  }
`);

const decideRecordsMutation = graphql(`
  mutation DecideHeldRecords($id: Base62Id!, $accept: Boolean!) {
    decideHeldRecords(id: $id, accept: $accept) {
      id
    }
  }
`);

interface ProposedColumn {
  name: string;
  type: string;
  records: number;
}

interface HeldProps {
  table: QualityTable;
  onDecided: () => void;
}

export function HeldDecisions({ table, onDecided }: HeldProps) {
  const run = table.tap?.runs?.[0];
  const isHeld = isFuture(run?.heldUntil);
  return (
    <>
      {isHeld && <HeldRows table={table} onDecided={onDecided} />}
      {table.heldRecords > 0 && <HeldRecords table={table} onDecided={onDecided} />}
    </>
  );
}

function HeldRows({ table, onDecided }: HeldProps) {
  const run = table.tap?.runs?.[0];
  const checks = table.contracts?.find(({ scope }) => scope === 'tap')?.computed?.[0]?.checks;
  const message = checks?.find(({ spec, status }) => spec.id === 'missing_rate' && status === 'FAIL')?.evidence
    ?.message;
  const rows = countOf(table.rows, 'row');
  return (
    <Decision
      table={table}
      kind="rows"
      title={`The service holds the rows of the latest full read: too many records of ${table.name} are missing from this read`}
      accept={{
        label: 'Accept the rows',
        loss:
          run?.mode === 'replace'
            ? `The rows of the read replace all ${rows} of the table. Records that the read does not contain are then missing from the table.`
            : `The table has ${rows} now. The service merges the rows of the read into the table, and deletes records that the read does not contain.`,
      }}
      reject={{
        label: 'Discard the rows',
        loss: `The rows of the read are lost. The table keeps its ${rows}, and the next sync reads the records again.`,
      }}
      onDecided={onDecided}
    >
      {message && <p>{message}</p>}
      {run?.heldUntil && (
        <p>
          Without a decision, the service discards the rows <TimeAgo at={run.heldUntil} />.
        </p>
      )}
    </Decision>
  );
}

function HeldRecords({ table, onDecided }: HeldProps) {
  const records = countOf(table.heldRecords, 'record');
  const columns = (table.proposedColumns ?? []) as unknown as ProposedColumn[];
  const names = columns.map(({ name }) => name).join(', ');
  return (
    <Decision
      table={table}
      kind="records"
      title={`The service holds ${records} with fields for which the table has no column`}
      accept={{
        label: 'Add the columns',
        loss: `The table gets the columns ${names}, and the service loads ${records}.`,
      }}
      reject={{
        label: 'Refuse the columns',
        loss: describeRefusal(table.heldRecords, columns),
      }}
      onDecided={onDecided}
    >
      <ul className="mt-1 flex flex-wrap gap-2">
        {columns.map(({ name, type, records: count }) => (
          <li key={name} className="rounded-lg bg-surface px-2 py-1 text-xs text-ink">
            <code>{name}</code>{' '}
            <span className="text-muted">
              {type}, in {countOf(count, 'record')}
            </span>
          </li>
        ))}
      </ul>
    </Decision>
  );
}

interface Choice {
  readonly label: string;
  /** Consequence of the choice, such as the loss of rows. */
  readonly loss: string;
}

interface DecisionProps extends HeldProps {
  kind: 'rows' | 'records';
  title: string;
  accept: Choice;
  reject: Choice;
  children: React.ReactNode;
}

function Decision({ table, kind, title, accept, reject, onDecided, children }: DecisionProps) {
  const canDecide = useIsAllowed('taps:write');
  const [asked, setAsked] = useState<'accept' | 'reject'>();
  const [rowsResult, decideRows] = useMutation(decideRowsMutation);
  const [recordsResult, decideRecords] = useMutation(decideRecordsMutation);
  const [result, decide] = kind === 'rows' ? [rowsResult, decideRows] : [recordsResult, decideRecords];
  const choice = asked === 'accept' ? accept : reject;
  const confirm = async (): Promise<void> => {
    await decide({ id: table.tap?.id ?? '', accept: asked === 'accept' });
    setAsked(undefined);
    onDecided();
  };
  return (
    <div className="mb-6 space-y-3">
      <Notice
        tone="warn"
        title={title}
        actions={
          canDecide &&
          table.tap && (
            <span className="flex flex-wrap gap-2 text-ink">
              <Button kind="primary" onClick={() => setAsked('accept')}>
                {accept.label}
              </Button>
              <Button onClick={() => setAsked('reject')}>{reject.label}</Button>
            </span>
          )
        }
      >
        {children}
      </Notice>
      {result.error && <FailureNotice error={result.error} />}
      {asked && (
        <ConfirmDialog
          title={`${choice.label}?`}
          confirmLabel={choice.label}
          isBusy={result.fetching}
          onConfirm={confirm}
          onClose={() => setAsked(undefined)}
        >
          {choice.loss}
        </ConfirmDialog>
      )}
    </div>
  );
}
