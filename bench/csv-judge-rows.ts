import type { Cell, Truth } from './csv-corpus.js';
import { type Judged, judge, type Reading, shown } from './csv-judge.js';
import { sameText } from './csv-same-text.js';

/** How the text is cut. The header is taken where it is known to be: whether it was found is judged for itself. */
export function judgeRows(truth: Truth, { texts }: Reading): Judged[] {
  const hasHeader = truth.headerRow ?? truth.columns !== undefined;
  const rows = texts instanceof Error || !hasHeader ? texts : texts.slice(1);
  const judged: Judged[] = [];
  const count = (expected: number | undefined, records: Reading['texts']): void => {
    if (expected !== undefined) judged.push({ ...judge(expected, records, ({ length }) => length), detail: 'count' });
  };
  count(truth.dataRows, rows);
  count(truth.totalRowsWithHeader, texts);
  count(typeof truth.rows === 'number' ? truth.rows : undefined, texts);
  const sameRecord = (expected: readonly Cell[], found: readonly string[]): boolean =>
    expected.length === found.length &&
    expected.every((cell, i) => sameCell(cell, found[i] as string, truth.nullToken));
  const records = (expected: readonly (readonly Cell[])[] | undefined): void => {
    if (expected) judged.push(...judgeRecords(expected, rows, sameRecord));
  };
  records(typeof truth.rows === 'number' ? undefined : truth.rows);
  records(truth.typedRows);
  records(truth.rowsAsObjects?.map((row) => Object.values(row)));
  if (truth.cell00 !== undefined) judged.push(judge(truth.cell00, texts, ([first]) => first?.[0] ?? ''));
  return judged;
}

function judgeRecords(
  expected: readonly (readonly Cell[])[],
  found: Reading['texts'],
  same: (expected: readonly Cell[], found: readonly string[]) => boolean,
): Judged[] {
  if (found instanceof Error || found.length !== expected.length) {
    return [{ ...judge(expected.length, found, ({ length }) => length), detail: 'count' }];
  }
  const wrong = expected.findIndex((record, i) => !same(record, found[i] as string[]));
  if (wrong === -1) return [{ expected: 'all', found: 'all', right: true }];
  return [
    { detail: `record ${wrong + 1}`, expected: shown(expected[wrong]), found: shown(found[wrong]), right: false },
  ];
}

function sameCell(expected: Cell, found: string, nullToken: string | undefined): boolean {
  if (expected === null) return found === '' || found === nullToken;
  return typeof expected === 'number' ? sameText(String(expected), found, 'number') : expected === found;
}
