import { type AspectScore, compareTruth, formatValue, type SystemOutput } from './compare-truth.js';
import type { CorpusCell, GroundTruth } from './corpus.js';
import { isSameValue } from './same-value.js';

/** Takes the header from the manifest, because another aspect scores the detection of headers. */
export function scoreRows(truth: GroundTruth, { texts }: SystemOutput): AspectScore[] {
  const hasHeader = truth.headerRow ?? truth.columns !== undefined;
  const rows = texts instanceof Error || !hasHeader ? texts : texts.slice(1);
  const judged: AspectScore[] = [];
  const count = (expected: number | undefined, records: SystemOutput['texts']): void => {
    if (expected !== undefined)
      judged.push({ ...compareTruth(expected, records, ({ length }) => length), detail: 'count' });
  };
  count(truth.dataRows, rows);
  count(truth.totalRowsWithHeader, texts);
  count(typeof truth.rows === 'number' ? truth.rows : undefined, texts);
  const sameRecord = (expected: readonly CorpusCell[], found: readonly string[]): boolean =>
    expected.length === found.length &&
    expected.every((cell, i) => sameCell(cell, found[i] as string, truth.nullToken));
  const records = (expected: readonly (readonly CorpusCell[])[] | undefined): void => {
    if (expected) judged.push(...scoreRecords(expected, rows, sameRecord));
  };
  records(typeof truth.rows === 'number' ? undefined : truth.rows);
  records(truth.typedRows);
  records(truth.rowsAsObjects?.map((row) => Object.values(row)));
  if (truth.cell00 !== undefined) judged.push(compareTruth(truth.cell00, texts, ([first]) => first?.[0] ?? ''));
  return judged;
}

function scoreRecords(
  expected: readonly (readonly CorpusCell[])[],
  found: SystemOutput['texts'],
  same: (expected: readonly CorpusCell[], found: readonly string[]) => boolean,
): AspectScore[] {
  if (found instanceof Error || found.length !== expected.length) {
    return [{ ...compareTruth(expected.length, found, ({ length }) => length), detail: 'count' }];
  }
  const wrong = expected.findIndex((record, i) => !same(record, found[i] as string[]));
  if (wrong === -1) return [{ expected: 'all', found: 'all', right: true }];
  return [
    {
      detail: `record ${wrong + 1}`,
      expected: formatValue(expected[wrong]),
      found: formatValue(found[wrong]),
      right: false,
    },
  ];
}

function sameCell(expected: CorpusCell, found: string, nullToken: string | undefined): boolean {
  if (expected === null) return found === '' || found === nullToken;
  return typeof expected === 'number' ? isSameValue(String(expected), found, 'number') : expected === found;
}
