import { scalarTextOf } from './field-value.js';

const NUMBER = /^-?\d+(\.\d+)?$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Milliseconds per unit, for formats that are numbers. */
const UNIT_MS: Readonly<Record<string, number>> = {
  epoch_seconds: 1_000,
  epoch_millis: 1,
  epoch_milliseconds: 1,
  epoch_micros: 1e-3,
  epoch_nanos: 1e-6,
};

/** Limits that distinguish the units of numbers. Each limit is the same time in the year 5138. */
const MAX_SECONDS = 1e11;
const MAX_MILLISECONDS = 1e14;
const MAX_MICROSECONDS = 1e17;

/**
 * Returns milliseconds since 1970, rounded down, or undefined if the value is not a time. Without a format, the size of
 * a number determines its unit. A time without a zone is UTC.
 */
export function cursorMsOf(value: unknown, format: string | null | undefined): number | undefined {
  const text = scalarTextOf(value)?.trim();
  if (text === undefined || typeof value === 'boolean') return undefined;
  if (!NUMBER.test(text)) return dateTimeMsOf(text);
  const number = Number(text);
  // Multiplying seconds with a fraction is inexact: 1700000000.001 * 1000 is 1700000000000.9999.
  const ms = Math.floor(Math.round(number * unitMsOf(number, format) * 1_000) / 1_000);
  return Number.isSafeInteger(ms) ? ms : undefined;
}

function unitMsOf(number: number, format: string | null | undefined): number {
  const named = UNIT_MS[format ?? ''];
  if (named !== undefined) return named;
  const size = Math.abs(number);
  if (size < MAX_SECONDS) return 1_000;
  if (size < MAX_MILLISECONDS) return 1;
  return size < MAX_MICROSECONDS ? 1e-3 : 1e-6;
}

function dateTimeMsOf(text: string): number | undefined {
  const [, date, minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (date === undefined) return undefined;
  const clock = `${date}T${minutes}:${seconds}`;
  const local = new Date(`${clock}Z`);
  // `Date` reads February 30 as a day in March.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(clock)) return undefined;
  return local.getTime() + Number(fraction.padEnd(3, '0').slice(0, 3)) - zoneMsOf(zone);
}

function zoneMsOf(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return minutes * 60_000 * (zone[0] === '-' ? -1 : 1);
}
