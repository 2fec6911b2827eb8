import { ref } from '@mikro-orm/core';
import { lockInstance } from '../../instances/find-instance.js';
import type { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { relationEquals } from '../../kernel/entities/tenant-table.js';
import { AppError } from '../../kernel/errors.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { parseTimezone } from '../../tenancy/members/locale-and-timezone.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { DEFAULT_INTERVAL_MINUTES, SyncSchedule } from '../sync-schedule.js';
import { scheduleDueSyncs } from './due-sync-job.js';
import { requireValidCron } from './parse-cron.js';
import { saveNextRun } from './save-next-run.js';
import type { SetSyncScheduleArgs } from './sync-schedule.inputs.js';

type ScheduleValues = Pick<SyncSchedule, 'kind' | 'intervalMinutes' | 'cron' | 'timezone' | 'quietFrom' | 'quietUntil'>;

/** Throws NOT_FOUND, and BAD_REQUEST for a schedule without valid times. */
export async function setSyncSchedule(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  { instanceId, ...input }: SetSyncScheduleArgs,
): Promise<void> {
  const values = validValues(input);
  const instance = await lockInstance(tx, instanceId);
  const schedule = await saveSchedule(tx, jobs, instance, values);
  tx.recordAudit('sync_schedule.set', schedule, { ...input });
}

/** Returns whether this call has created the schedule. */
export async function ensureDefaultSchedule(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  instance: TenantConnectorInstance,
): Promise<boolean> {
  if (await findStored(tx, instance)) return false;
  const values = { kind: 'interval', intervalMinutes: DEFAULT_INTERVAL_MINUTES, timezone: 'UTC' } as const;
  await saveSchedule(tx, jobs, instance, values);
  return true;
}

async function saveSchedule(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  instance: TenantConnectorInstance,
  values: ScheduleValues,
): Promise<SyncSchedule> {
  const changes = { ...CLEARED, ...values };
  const stored = await findStored(tx, instance);
  const schedule = stored ?? tx.create(SyncSchedule, { instance: ref(instance), ...changes });
  if (stored) tx.update(stored, changes);
  await tx.em.flush(); // `saveNextRun` updates the row, so a new row must already exist.
  const next = await saveNextRun(tx, schedule, instance.id);
  if (next) await scheduleDueSyncs(jobs, tx.em, tx.caller.tenantId, next);
  return schedule;
}

const CLEARED = { intervalMinutes: null, cron: null, quietFrom: null, quietUntil: null } as unknown as ScheduleValues;

function findStored(tx: WorkspaceTransaction, instance: TenantConnectorInstance): Promise<SyncSchedule | null> {
  return tx.em.findOne(SyncSchedule, relationEquals('instance_id', instance.id));
}

function validValues({ kind, ...input }: Omit<SetSyncScheduleArgs, 'instanceId'>): ScheduleValues {
  const timezone = parseTimezone(input.timezone ?? 'UTC');
  if (!timezone)
    throw new AppError('BAD_REQUEST', 'timezone must be a name of the IANA time zone database, such as Europe/Berlin.');
  const { quietFrom, quietUntil } = input;
  if (Boolean(quietFrom) !== Boolean(quietUntil))
    throw new AppError('BAD_REQUEST', 'quietFrom and quietUntil must be set together.');
  const quiet = quietFrom && quietUntil ? { quietFrom, quietUntil } : {};
  if (kind !== 'cron') {
    if (input.cron) throw new AppError('BAD_REQUEST', `cron requires kind cron, not ${kind}.`);
    const interval = kind === 'interval' ? { intervalMinutes: input.intervalMinutes ?? DEFAULT_INTERVAL_MINUTES } : {};
    return { kind, timezone, ...interval, ...quiet };
  }
  if (!input.cron) throw new AppError('BAD_REQUEST', 'kind cron requires cron.');
  requireValidCron(input.cron, timezone);
  return { kind, cron: input.cron, timezone, ...quiet };
}
