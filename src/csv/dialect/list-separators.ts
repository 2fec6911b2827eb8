import { cellTypeOf } from '../header/cell-type.js';
import { scanRecords } from '../header/locate-table.js';
import { RecordScanner } from '../records/record-scanner.js';
import type { DialectScore } from './score-dialect.js';

const MAX_INSPECTED_RECORDS = 100;

const MIN_SPLIT_SHARE = 0.8;

const MAX_LIST_SHARE = 1 / 3;

/**
 * Removes each candidate whose delimiter only separates the items of lists, such as `|` in `7,blue|red|green,Oslo`. The
 * items of each list must have the same type. Never removes a candidate with tabs or quoted values, because its
 * delimiter separates columns.
 */
export function withoutListSeparators(
  text: string,
  candidates: readonly DialectScore[],
  isWhole: boolean,
): readonly DialectScore[] {
  return candidates.filter(
    (inner) =>
      inner.syntax.delimiter === '\t' ||
      inner.quoted > 0 ||
      !candidates.some(
        (outer) =>
          outer !== inner &&
          outer.shareSplit >= MIN_SPLIT_SHARE &&
          areLists(text, outer, inner, isWhole) &&
          !areItemsAlike(valuesWith(text, inner, outer.syntax.delimiter, isWhole).found, outer.syntax.delimiter),
      ),
  );
}

function areLists(text: string, outer: DialectScore, { syntax }: DialectScore, isWhole: boolean): boolean {
  const { found, total } = valuesWith(text, outer, syntax.delimiter, isWhole);
  return found.length > 0 && found.length <= total * MAX_LIST_SHARE && areItemsAlike(found, syntax.delimiter);
}

function valuesWith(
  text: string,
  { syntax }: DialectScore,
  delimiter: string,
  isWhole: boolean,
): { found: string[]; total: number } {
  const records = scanRecords(new RecordScanner(text, syntax, isWhole), MAX_INSPECTED_RECORDS);
  const values = records.flatMap((record) => record.values);
  return { found: values.filter((value) => value.includes(delimiter)), total: values.length };
}

function areItemsAlike(lists: readonly string[], delimiter: string): boolean {
  return lists.every((list) => {
    const types = new Set(list.split(delimiter).map(cellTypeOf));
    types.delete('empty');
    return types.size <= 1;
  });
}
