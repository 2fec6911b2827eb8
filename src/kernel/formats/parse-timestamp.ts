const TIMESTAMP_PATTERN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A time in ISO 8601 as RFC 3339 spells it: seconds and a zone in full, no leap second, in the years 1 to 9999 of UTC. Undefined for any other text, and
 * for a day that does not exist: `Date` takes much more, counts such a day as a later one and a time without a zone as one of the machine.
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
