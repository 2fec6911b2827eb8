const TIMESTAMP_PATTERN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Parses a time in the RFC 3339 profile of ISO 8601. Requires seconds and a time zone, rejects leap seconds, and
 * accepts the years 1 to 9999 UTC. Returns undefined for other strings, and for days that do not exist. `Date` alone
 * would convert 30 February to a day in March.
 */
export function parseTimestamp(text: string): Date | undefined {
  const [, clock] = TIMESTAMP_PATTERN.exec(text) ?? [];
  if (clock === undefined) return undefined;
  const local = new Date(`${clock}Z`);
  const exists = !Number.isNaN(local.getTime()) && local.toISOString().startsWith(clock);
  const time = new Date(text);
  const year = time.getUTCFullYear();
  return exists && year >= 1 && year <= 9_999 ? time : undefined;
}
