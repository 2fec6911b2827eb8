import { AppError } from '../../kernel/errors.js';
import type { Reader } from '../../kernel/reading/reader.js';
import { findSchedule } from './read-schedule.js';

/** Throws CONFLICT if an external runner reads the connection, because the service would load the same records. */
export async function requireServiceRuns(read: Reader, instanceId: string): Promise<void> {
  const schedule = await findSchedule(read, instanceId);
  if (schedule?.kind === 'external')
    throw new AppError(
      'CONFLICT',
      'An external runner reads the connection. Change the kind of its schedule to interval, cron or manual, then start the sync.',
    );
}
