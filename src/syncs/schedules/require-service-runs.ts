import { AppError } from '../../kernel/errors.js';
import type { Reader } from '../../kernel/reading/reader.js';
import { findSchedule } from './read-schedule.js';

/**
 * Throws CONFLICT if an external runner reads the connection, because the service would load the same records again.
 */
export async function requireServiceRuns(read: Reader, instanceId: string): Promise<void> {
  const schedule = await findSchedule(read, instanceId);
  if (schedule?.kind === 'external')
    throw new AppError(
      'CONFLICT',
      'An external runner reads the connection. Change the schedule of the connection to the kind interval, cron or manual, then repeat the request.',
    );
}
