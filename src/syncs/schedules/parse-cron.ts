import { CronExpressionParser } from 'cron-parser';
import { AppError } from '../../kernel/errors.js';

const FIELDS = 5;
const MIN_INTERVAL_MINUTES = 5;
/** Number of starts to check, enough to contain the shortest interval of an expression. */
const CHECKED_STARTS = 300;

/** Throws BAD_REQUEST for an invalid expression, and for an expression whose starts are less than 5 minutes apart. */
export function requireValidCron(cron: string, timezone: string): void {
  const times = startsOf(cron, timezone);
  const isTooOften = times.some((time, nth) => nth > 0 && time - (times[nth - 1] ?? 0) < MIN_INTERVAL_MINUTES * 60_000);
  if (isTooOften)
    throw new AppError('BAD_REQUEST', `cron must not start syncs less than ${MIN_INTERVAL_MINUTES} minutes apart.`);
}

function startsOf(cron: string, tz: string): number[] {
  // The parser also accepts a field of seconds, and names such as @daily.
  if (cron.trim().split(/\s+/).length !== FIELDS)
    throw new AppError('BAD_REQUEST', 'cron must have 5 fields: minute, hour, day of month, month, day of week.');
  try {
    const expression = CronExpressionParser.parse(cron, { tz });
    return Array.from({ length: CHECKED_STARTS }, () => expression.next().getTime());
  } catch {
    throw new AppError('BAD_REQUEST', 'cron is not a valid cron expression, or matches no time in the future.');
  }
}
