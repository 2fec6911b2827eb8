import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { SelectField } from '../../ui/select-field.js';
import { TextField } from '../../ui/text-field.js';
import type { Schedule } from './connection-query.js';

const scheduleMutation = graphql(`
  mutation SetSchedule(
    $instanceId: Base62Id!
    $kind: SyncScheduleKind!
    $intervalMinutes: Int
    $cron: String
    $timezone: String
    $quietFrom: String
    $quietUntil: String
  ) {
    setSyncSchedule(
      instanceId: $instanceId
      kind: $kind
      intervalMinutes: $intervalMinutes
      cron: $cron
      timezone: $timezone
      quietFrom: $quietFrom
      quietUntil: $quietUntil
    ) {
      id
      kind
      cron
      intervalMinutes
      timezone
      quietFrom
      quietUntil
      nextRunAt
    }
  }
`);

/** Excludes the kind `external`, which is for runners outside the service. */
const KINDS = { interval: 'At an interval', cron: 'At fixed times (cron)', manual: 'Only on request' };
type Kind = keyof typeof KINDS;

const DEFAULT_INTERVAL_MINUTES = 360;

interface EditScheduleProps {
  instanceId: string;
  schedule: Schedule;
}

export function EditSchedule({ instanceId, schedule }: EditScheduleProps) {
  const isAllowed = useIsAllowed('syncs:write');
  const [isOpen, setOpen] = useState(false);
  if (!isAllowed || schedule.kind === 'external') return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Edit</Button>
      {isOpen && (
        <ScheduleDialog
          instanceId={instanceId}
          schedule={schedule}
          initialKind={schedule.kind}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface ScheduleDialogProps extends EditScheduleProps {
  initialKind: Kind;
  onClose: () => void;
}

function ScheduleDialog({ instanceId, schedule, initialKind, onClose }: ScheduleDialogProps) {
  const [kind, setKind] = useState<Kind>(initialKind);
  const [result, save] = useMutation(scheduleMutation);
  const submit = async (form: FormData): Promise<void> => {
    const text = (name: string): string | null => String(form.get(name) ?? '').trim() || null;
    const minutes = text('intervalMinutes');
    const { data } = await save({
      ...{ instanceId, kind, cron: text('cron'), timezone: text('timezone') },
      ...{ intervalMinutes: minutes === null ? null : Number(minutes) },
      ...{ quietFrom: text('quietFrom'), quietUntil: text('quietUntil') },
    });
    if (data?.setSyncSchedule) onClose();
  };
  return (
    <FormDialog
      title="Schedule"
      submitLabel="Save schedule"
      isBusy={result.fetching}
      isDone={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField label="Start syncs" name="kind" options={KINDS} value={kind} onChange={setKind} />
      {kind === 'interval' && (
        <TextField
          label="Minutes between two syncs"
          name="intervalMinutes"
          type="number"
          defaultValue={String(schedule.intervalMinutes ?? DEFAULT_INTERVAL_MINUTES)}
          help="5 to 43,200 minutes. 360 minutes are six hours."
          required
        />
      )}
      {kind === 'cron' && (
        <TextField
          label="Cron expression"
          name="cron"
          defaultValue={schedule.cron ?? '0 6 * * *'}
          help="Minute, hour, day of month, month, day of week. The times must be at least 5 minutes apart."
          required
        />
      )}
      {kind !== 'manual' && <TimeFields schedule={schedule} />}
      {result.error && <FailureNotice error={result.error} />}
    </FormDialog>
  );
}

function TimeFields({ schedule: { timezone, quietFrom, quietUntil } }: { schedule: Schedule }) {
  return (
    <>
      <TextField
        label="Time zone"
        name="timezone"
        defaultValue={timezone}
        help="An IANA name, such as Europe/Berlin."
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField label="Quiet from" name="quietFrom" type="time" defaultValue={quietFrom ?? ''} />
        <TextField label="Quiet until" name="quietUntil" type="time" defaultValue={quietUntil ?? ''} />
      </div>
      <p className="text-xs text-muted">
        A sync that becomes due in the quiet hours starts when the quiet hours end. If the end is earlier than the
        start, the quiet hours end on the next day.
      </p>
    </>
  );
}
