import { describe, expect, it, vi } from 'vitest';
import type { Dialect } from '../../../src/csv/model/data-schema.js';
import { parseCsvRecords } from '../../../src/csv/records/parse-csv-records.js';
import { csvFaultOf, TRUNCATED_FILE, WHOLE_FILE } from '../../support/csv/csv-fault.js';

function aDialect(changes: Partial<Dialect> = {}): Dialect {
  const usual = { delimiter: ',', quote: '"', escape: '"', skipLines: 0, header: false, comment: null };
  return { encoding: 'utf-8', ...usual, ...changes };
}

function valuesOf(text: string, changes: Partial<Dialect> = {}, reading = WHOLE_FILE): string[][] {
  return [...parseCsvRecords(text, aDialect(changes), reading)].map(({ values }) => values);
}

function linesOf(text: string, changes: Partial<Dialect> = {}): number[] {
  return [...parseCsvRecords(text, aDialect(changes), WHOLE_FILE)].map(({ line }) => line);
}

describe('records', () => {
  it.each([
    ['LF', 'a,b\n1,2\n'],
    ['CR LF', 'a,b\r\n1,2\r\n'],
    ['CR', 'a,b\r1,2\r'],
    ['all of them, and nothing at the end of the file', '\r\na,b\r\n\n1,2'],
  ])('end with %s', (_, text) => {
    expect(valuesOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it.each([
    ['delimiters and line ends between quotes', '"a,b","c\r\nd"', ['a,b', 'c\r\nd']],
    ['doubled quotes', '"say ""hi""",""', ['say "hi"', '']],
    ['quotes at both ends', '"""a""",b', ['"a"', 'b']],
    ['blanks around quotes', ' "a,b" , c', ['a,b', ' c']],
    ['quotes inside a value', `5" pipe,it's`, ['5" pipe', "it's"]],
    ['a pair of stray quotes', '"say "hi" now",b', ['say "hi" now', 'b']],
    ['text after a closing quote', '"a"b,c', ['"a"b', 'c']],
    ['an empty value after the last delimiter', 'a,', ['a', '']],
    ['an unclosed quote after blanks', ' "a,b', [' "a', 'b']],
  ])('can contain %s', (_, text, values) => {
    expect(valuesOf(text)).toEqual([values]);
    expect(valuesOf(`${text}\nx,y\n`)[0]).toEqual(values);
  });

  it.each([
    ['a quote', String.raw`"a \"b\" c",1`, ['a "b" c', '1']],
    ['a backslash at the end', String.raw`"C:\\",1`, ['C:\\', '1']],
    ['nothing else', String.raw`"\N\t",1`, [String.raw`\N\t`, '1']],
    ['nothing outside quotes', String.raw`\",1`, [String.raw`\"`, '1']],
  ])('with a backslash escape: %s', (_, text, values) => {
    expect(valuesOf(text, { escape: '\\' })).toEqual([values]);
  });

  it('treat quotes as text if the dialect has none', () => {
    expect(valuesOf('"a,b"', { quote: null, escape: null })).toEqual([['"a', 'b"']]);
  });

  it('end at line ends if values have only an opening quote', () => {
    expect(valuesOf('1,"One\n2,"Two\n3,x"y')).toEqual([
      ['1', '"One'],
      ['2', '"Two'],
      ['3', 'x"y'],
    ]);
  });

  it('do not include blank lines and comments, but quoted empty values', () => {
    expect(valuesOf('a\n\n   \n#c\n""\nb', { comment: '#' })).toEqual([['a'], [''], ['b']]);
  });

  it('have the line of the file where they start', () => {
    expect(linesOf('\n"a\n\r\nb",1\r\n\n#x\nc,2\n"d "e"\nf,3', { comment: '#' })).toEqual([2, 7, 8, 9]);
    expect(linesOf('title\r\n\r\na,b\r\n1,2', { skipLines: 2 })).toEqual([3, 4]);
  });

  it('do not include an incomplete record at the end of a head', () => {
    expect(valuesOf('a,b\n1,2\n3,', {}, TRUNCATED_FILE)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(valuesOf('a,b\n"1\n2,3\n', {}, TRUNCATED_FILE)).toEqual([['a', 'b']]);
    expect(valuesOf('a,b\n#12', { comment: '#' }, TRUNCATED_FILE)).toEqual([['a', 'b']]);
  });
});

describe('records that are rejected', () => {
  const read = (text: string, reading = WHOLE_FILE) => valuesOf(text, {}, reading);

  it('have an unclosed quote; the error names the line', () => {
    expect(csvFaultOf(() => read('a,b\n1,"2\n3,4\n'))).toBe('009');
    expect(() => read('a,b\n1,"2\n3,4\n')).toThrow('line 2 ');
    expect(csvFaultOf(() => read(`a,b\n"${'x\n'.repeat(600_000)}`, TRUNCATED_FILE))).toBe('009');
  });

  it('have more than 4,096 values', () => {
    expect(read(','.repeat(4_095))[0]).toHaveLength(4_096);
    expect(csvFaultOf(() => read(','.repeat(4_096)))).toBe('008');
  });

  it('have more than 1,048,576 characters, complete or not', () => {
    const longest = 'x'.repeat(1024 * 1024 - 1);
    expect(read(`${longest}\n`)).toHaveLength(1);
    expect(csvFaultOf(() => read(`${longest}xx\n`))).toBe('010');
    expect(csvFaultOf(() => read(`${longest}xx`, TRUNCATED_FILE))).toBe('010');
  });
});

describe('reading time', () => {
  it.each([
    ['stray quotes', '"a"b,'],
    ['stray quotes after blanks', ' "a"b,'],
    ['quotes in pairs', '""",'],
    ['quotes within values', 'a"b,'],
  ])('is linear in the length of a line: %s', (_, piece) => {
    const searches = vi.spyOn(String.prototype, 'indexOf');
    try {
      valuesOf(`${piece.repeat(2_000)}\n`);
      expect(searches.mock.calls.length).toBeLessThan(2_000 * 10);
    } finally {
      searches.mockRestore();
    }
  });
});
