import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { SelectField } from '../../ui/select-field.js';
import { TextField } from '../../ui/text-field.js';

const reSyncMutation = graphql(`
  mutation ReSync($instanceId: Base62Id!, $mode: SyncMode, $range: SyncRangeInput) {
    startSync(instanceId: $instanceId, mode: $mode, range: $range) {
      id
    }
  }
`);

const PARTS = { range: 'Records of a time range', all: 'All records' };
type Part = keyof typeof PARTS;

interface ReSyncProps {
  instanceId: string;
  onStart: (sync: string) => void;
}

export function ReSync({ instanceId, onStart }: ReSyncProps) {
  const [isOpen, setOpen] = useState(false);
  const [part, setPart] = useState<Part>('range');
  const [result, start] = useMutation(reSyncMutation);
  const submit = async (form: FormData): Promise<void> => {
    const selection = part === 'all' ? { mode: 'resync' as const } : { range: readRange(form) };
    const { data } = await start({ instanceId, ...selection });
    if (data?.startSync) onStart(data.startSync.id);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Re-sync</Button>
      {isOpen && (
        <FormDialog
          title="Read records again"
          submitLabel="Start re-sync"
          isBusy={result.fetching}
          isDone={false}
          onSubmit={submit}
          onClose={() => setOpen(false)}
        >
          <SelectField label="What to read" name="part" options={PARTS} value={part} onChange={setPart} />
          {part === 'range' ? (
            <>
              <div className="grid gap-4 sm:grid-cols-2">
                <TextField label="From" name="from" type="datetime-local" required />
                <TextField label="Until" name="until" type="datetime-local" />
              </div>
              <p className="text-sm text-muted">
                The times are in your local time zone. Without an end, the range ends at the current time. The next
                scheduled sync continues where the last sync without a range ended.
              </p>
            </>
          ) : (
            <p className="text-sm text-muted">
              Reads all records of each tap. This can take a long time, and the requests count towards the rate limits
              of the vendor.
            </p>
          )}
          {result.error && <FailureNotice error={result.error} />}
        </FormDialog>
      )}
    </>
  );
}

function readRange(form: FormData): { from: string; until: string | null } {
  const until = String(form.get('until'));
  const toIso = (local: string): string => new Date(local).toISOString();
  return { from: toIso(String(form.get('from'))), until: until ? toIso(until) : null };
}
