import { RecordScanner, type RecordSyntax } from '../records/record-scanner.js';

const MAX_INSPECTED_RECORDS = 100;

/**
 * Returns whether a blank follows every delimiter, as in `id, name, sum`. The scanner drops the blank before a quoted
 * value, and does not report which values were quoted. This function therefore accepts as many values without a blank
 * as the record has quoted values. In all records together, most values must start with a blank.
 */
export function followsBlanks(text: string, syntax: RecordSyntax, isWhole: boolean): boolean {
  if (syntax.delimiter === ' ' || !text.includes(`${syntax.delimiter} `)) return false;
  const scanner = new RecordScanner(text, syntax, isWhole);
  let spaced = 0;
  let quoted = 0;
  for (let seen = 0; seen < MAX_INSPECTED_RECORDS; seen++) {
    const before = scanner.quoted;
    const values = scanner.next()?.slice(1);
    if (!values) break;
    const unspaced = values.filter((value) => value !== '' && !value.startsWith(' ')).length;
    if (unspaced > scanner.quoted - before) return false;
    spaced += values.filter((value) => value.startsWith(' ')).length;
    quoted += unspaced;
  }
  return spaced > quoted;
}
