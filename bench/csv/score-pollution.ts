/** One point for a successful load, plus precision, recall and F1 of the header, the records and the cells. */
export const MAX_POLLUTION_SCORE = 10;

const INTEGER = /^\s*[-+]?\d+\s*$/;
const FLOAT = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i;

type Records = readonly (readonly string[])[];

/**
 * Returns the score of the Pollock benchmark, but does not normalize dates and prices, because no compared parser
 * changes such values.
 */
export function scorePollution(clean: Records, loaded: Records | Error): number {
  if (loaded instanceof Error) return 0;
  const [cleanHeader = []] = clean;
  if (clean.length === 0) return MAX_POLLUTION_SCORE;
  return (
    1 +
    agreement(cleanHeader.map(normalizeCell), (loaded[0] ?? []).map(normalizeCell)) +
    agreement(clean.slice(1).map(joinRecord), loaded.slice(1).map(joinRecord)) +
    agreement(clean.flat(), loaded.flat())
  );
}

function agreement(expected: readonly string[], found: readonly string[]): number {
  if (expected.length === 0) return 3;
  const counts = new Map<string, number>();
  for (const item of expected) counts.set(item, (counts.get(item) ?? 0) + 1);
  let common = 0;
  for (const item of found) {
    const left = counts.get(item) ?? 0;
    if (left === 0) continue;
    counts.set(item, left - 1);
    common++;
  }
  if (common === 0) return 0;
  const [recall, precision] = [common / expected.length, common / found.length];
  return recall + precision + (2 * recall * precision) / (recall + precision);
}

function joinRecord(record: readonly string[]): string {
  return record.map(normalizeCell).join('');
}

/** Removes differences of notation, such as between `1.0` and `1`, or `True` and `true`. */
function normalizeCell(cell: string): string {
  if (cell.trim() === '') return cell;
  if (/^true$|^false$/i.test(cell)) return cell.toLowerCase() === 'true' ? '1' : '0';
  if (INTEGER.test(cell)) return String(BigInt(cell.trim().replace(/^\+/, '')));
  return FLOAT.test(cell) ? String(Number(cell)) : cell.toLowerCase();
}
