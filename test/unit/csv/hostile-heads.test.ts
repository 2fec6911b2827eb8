import { describe, expect, it } from 'vitest';
import { checkHead } from '../../../src/csv/check-head.js';
import { CsvError } from '../../../src/csv/model/csv-error.js';
import { HEAD_BYTES, MAX_HEAD_BYTES } from '../../../src/csv/model/csv-limits.js';
import { seededRandom } from '../../support/csv/random-csv.js';
import { atScale } from '../../support/soak.js';

const MIB = 1024 * 1024;
const FILES = atScale(200, 2_000);

/** Checks the head of the file as an upload does: first 256 KiB, and more bytes if the check needs them. */
function outcomeOf(file: Buffer): string {
  try {
    for (const size of [HEAD_BYTES, MAX_HEAD_BYTES]) {
      const head = checkHead(file.subarray(0, size), { isWhole: file.length <= size });
      if (head !== 'more') return `${head.schema.fields.length} columns`;
    }
    return 'more';
  } catch (thrown) {
    if (thrown instanceof CsvError) return thrown.code.slice(-3);
    throw thrown;
  }
}

function someBytes(length: number, from: number): Buffer {
  const random = seededRandom(length);
  return Buffer.from(Array.from({ length }, () => from + Math.floor(random() * (256 - from))));
}

const HOSTILE: readonly [outcome: string, what: string, file: () => Buffer | string][] = [
  ['010', 'a first line without an end', () => 'x'.repeat(6 * MIB)],
  ['008', 'a million columns', () => `${'a,'.repeat(1_000_000)}\n`],
  ['008', 'unmatched quotes in many values', () => '"a"b,'.repeat(900_000)],
  ['1 columns', 'unmatched quotes in many lines', () => '"a"b\n'.repeat(900_000)],
  ['010', 'ten million quotes', () => '"'.repeat(10_000_000)],
  ['010', 'quotes and blanks', () => ' "'.repeat(2_500_000)],
  ['010', 'backslashes and quotes', () => `a,b\n"${'\\"'.repeat(3_000_000)}`.replace('a,b\n', '')],
  ['009', 'a quote at the start that is never closed', () => '"a,b\n1,2\n3,4\n'],
  ['009', 'a quote in the middle that is never closed', () => `a,b\n${'1,2\n'.repeat(50)}3,"4\n${'5,6\n'.repeat(50)}`],
  ['009', 'a quote at the end that is never closed', () => 'a,b\n1,2\n3,"'],
  ['001', 'five million blank lines', () => '\n'.repeat(5_000_000)],
  ['006', 'only delimiters', () => ',,,\n'.repeat(80_000)],
  ['1 columns', 'replacement characters', () => `a\n${'\ufffd'.repeat(80_000)}\n`],
  ['2 columns', 'escape sequences of a terminal', () => 'a,b\n\u001b[31mred\u001b[0m,2\n'],
  ['004', 'random bytes', () => someBytes(HEAD_BYTES, 0)],
  ['004', 'random bytes without NUL', () => someBytes(HEAD_BYTES, 1)],
  ['2 columns', 'mixed line ends', () => 'a,b\r\n1,2\n3,4\r5,6\r\n'],
];

describe('a hostile head', () => {
  it.each(HOSTILE)('results in %s: %s', (outcome, _, file) => {
    const before = Reflect.ownKeys(Object.prototype);
    expect(outcomeOf(Buffer.from(file()))).toBe(outcome);
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
  });

  it('has a documented outcome for random bytes', () => {
    const random = seededRandom(7);
    const alphabet = ['"', "'", ',', ';', '\n', '\r', '\\', '#', ' ', '\t', 'a', '1', '-', 'é', '\ufeff', '='];
    for (let file = 0; file < FILES; file++) {
      const length = Math.floor(random() * 60);
      const text = Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
      const encoding = (['utf8', 'utf16le', 'latin1'] as const)[file % 3] ?? 'utf8';
      expect(outcomeOf(Buffer.from(text, encoding))).toMatch(/^(\d{3}|\d+ columns)$/);
    }
  });
});
