const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Local times are at most 12 hours behind UTC and at most 14 hours ahead. */
const MAX_BEHIND_UTC = 12 * HOUR;
const MAX_AHEAD_OF_UTC = 14 * HOUR;

/** Formats the start and the end of a time window in UTC. Rounding never shortens the window. */
export interface TimeFormat {
  /** Smallest difference between two formatted times, in milliseconds. */
  readonly unitMs: number;
  /** Rounds down to a representable time. */
  formatStart(time: Date): string | number;
  /** Rounds up to a representable time. */
  formatEnd(time: Date): string | number;
}

type Field = (time: Date) => string;

const FIELDS: Readonly<Record<string, { unitMs?: number; isZone?: boolean; write: Field }>> = {
  yyyy: { write: (time) => padded(time.getUTCFullYear(), 4) },
  MM: { write: (time) => padded(time.getUTCMonth() + 1, 2) },
  M: { write: (time) => `${time.getUTCMonth() + 1}` },
  dd: { unitMs: DAY, write: (time) => padded(time.getUTCDate(), 2) },
  d: { unitMs: DAY, write: (time) => `${time.getUTCDate()}` },
  HH: { unitMs: HOUR, write: (time) => padded(time.getUTCHours(), 2) },
  H: { unitMs: HOUR, write: (time) => `${time.getUTCHours()}` },
  mm: { unitMs: MINUTE, write: (time) => padded(time.getUTCMinutes(), 2) },
  ss: { unitMs: SECOND, write: (time) => padded(time.getUTCSeconds(), 2) },
  X: { isZone: true, write: () => 'Z' },
  XXX: { isZone: true, write: () => 'Z' },
  xx: { isZone: true, write: () => '+0000' },
  xxx: { isZone: true, write: () => '+00:00' },
  z: { isZone: true, write: () => 'UTC' },
};

const NAMED: Readonly<Record<string, string>> = { iso8601: "yyyy-MM-dd'T'HH:mm:ssXXX", date: 'yyyy-MM-dd' };

/** A quoted literal, one or more equal letters (`yyyy`), or another character. */
const PIECE = /'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']/g;

/**
 * Compiles `iso8601`, `date`, `epoch_seconds`, `epoch_millis` or a pattern of Unicode TR 35. Returns undefined for an
 * unsupported format. A source may interpret a time without a zone as the local time of an account. A format without a
 * zone therefore extends the window by the largest difference to UTC.
 */
export function compileTimeFormat(format: string): TimeFormat | undefined {
  if (format === 'epoch_seconds') return epoch(SECOND);
  if (format === 'epoch_millis') return epoch(1);
  return compilePattern((Object.hasOwn(NAMED, format) && NAMED[format]) || format);
}

function epoch(unitMs: number): TimeFormat {
  return {
    unitMs,
    formatStart: (time) => Math.floor(time.getTime() / unitMs),
    formatEnd: (time) => Math.ceil(time.getTime() / unitMs),
  };
}

function compilePattern(pattern: string): TimeFormat | undefined {
  const pieces = pattern.match(PIECE) ?? [];
  if (pieces.join('') !== pattern) return undefined;
  const fields = pieces.map(compilePiece);
  const writers = fields.map((field) => field?.write);
  const isComplete = ['yyyy', 'M', 'd'].every((letters) => pieces.some((piece) => piece.startsWith(letters)));
  if (!isComplete || writers.includes(undefined)) return undefined;
  const write = (ms: number) => writers.map((writer) => writer?.(new Date(ms))).join('');
  const unitMs = Math.min(...fields.map((field) => field?.unitMs ?? DAY));
  const hasZone = fields.some((field) => field?.isZone);
  return {
    unitMs,
    formatStart: (time) => write(time.getTime() - (hasZone ? 0 : MAX_BEHIND_UTC)),
    // `write` rounds down, because it omits fields that the pattern lacks.
    formatEnd: (time) => write(time.getTime() + (hasZone ? 0 : MAX_AHEAD_OF_UTC) + unitMs - 1),
  };
}

function compilePiece(piece: string): { unitMs?: number; isZone?: boolean; write: Field } | undefined {
  if (piece.startsWith("'")) {
    const text = piece.slice(1, -1).replaceAll("''", "'") || "'";
    return { isZone: text === 'Z', write: () => text };
  }
  if (/^S{1,3}$/.test(piece)) {
    const unitMs = 10 ** (3 - piece.length);
    return { unitMs, write: (time) => padded(time.getUTCMilliseconds(), 3).slice(0, piece.length) };
  }
  // A JavaScript time has no microseconds, so the digits after the third are zeros.
  if (/^S{4,9}$/.test(piece))
    return { unitMs: 1, write: (time) => padded(time.getUTCMilliseconds(), 3).padEnd(piece.length, '0') };
  if (!/^[A-Za-z]/.test(piece)) return { write: () => piece };
  return Object.hasOwn(FIELDS, piece) ? FIELDS[piece] : undefined;
}

function padded(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
