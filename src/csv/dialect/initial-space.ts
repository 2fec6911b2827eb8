import { RecordScanner, type RecordSyntax } from '../records/record-scanner.js';

const MAX_INSPECTED_RECORDS = 100;

/**
 * Returns whether a blank follows every delimiter, as in `id, name, sum`. All values after the first must start with a
 * blank, except empty and quoted values. The scanner drops the blank before a quoted value, and reports only the number
 * of quoted values. A record may therefore have as many values without a blank as quoted values. In total, more values
 * must start with a blank than not.
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
