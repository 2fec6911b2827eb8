import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { aSchema, readStreamedRows, type StreamedRow, splitBytes } from '../../support/csv/streamed-rows.js';

const THREE = ['a', 'b', 'c'];

const valuesOf = (rows: readonly StreamedRow[]) => rows.map(({ values }) => values);
const reasonsOf = (rows: readonly StreamedRow[]) => rows.map(({ reason }) => reason);

describe('invalid bytes', () => {
  it('reject their rows with the offset in the file, in UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('ü,2,3\n1,'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from(',3\n1,\ufffd,3\n1,\0,3\n'),
    ]);
    const schema = aSchema(THREE);
    const atOnce = readStreamedRows(schema, [bytes]);
    expect(reasonsOf(atOnce)).toEqual([
      undefined,
      'row 2: the byte at offset 9 is invalid in utf-8',
      undefined,
      `row 4: the byte at offset ${bytes.indexOf(0)} is NUL`,
    ]);
    expect(atOnce[1]?.record).toBe('1,\ufffd(\ufffd,3');
    expect(readStreamedRows(schema, splitBytes(bytes, 1))).toEqual(atOnce);
  });

  it.each([
    ['cp932', [0x81, 0x20], 0],
    ['windows-1253', [0xff], 0],
    ['utf-16le', [0x00, 0xd8], 0],
    ['utf-16be', [0xdc, 0x00], 0],
    ['utf-32le', [0x00, 0x00, 0x11, 0x00], 0],
  ])('reject their rows with the offset in the file, in %s', (encoding, bad) => {
    const text = (part: string) => iconv.encode(part, encoding, { addBOM: false });
    const before = text('1,2,3\n4,');
    const bytes = Buffer.concat([before, Buffer.from(bad), text(',6\n7,8,9\n')]);
    const rows = readStreamedRows(aSchema(THREE, { encoding }), splitBytes(bytes, 3));
    expect(rows.map(({ row, reason }) => [row, reason])).toEqual([
      [1, undefined],
      [2, `row 2: the byte at offset ${before.length} is invalid in ${encoding}`],
      [3, undefined],
    ]);
  });

  it.each(['utf-16le', 'utf-32be'])('include an incomplete character at the end, in %s', (encoding) => {
    const bytes = iconv.encode('1,2,3\n4,5,6', encoding, { addBOM: false });
    const rows = readStreamedRows(aSchema(THREE, { encoding }), [bytes.subarray(0, -1)]);
    expect(reasonsOf(rows)[1]).toContain('is invalid in');
  });
});

describe('text in any encoding', () => {
  const VALUES = ['Ünï', '€ 5', 'x'];

  it.each([...['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be', 'windows-1252', 'iso-8859-15', 'gb18030']])(
    'is read with any chunks: %s',
    (encoding) => {
      for (const lineEnd of ['\n', '\r\n', '\r']) {
        const bytes = iconv.encode(`${[VALUES, VALUES].map((row) => row.join(',')).join(lineEnd)}`, encoding);
        for (const size of [1, 3, 8, 1_000])
          expect(valuesOf(readStreamedRows(aSchema(THREE, { encoding }), splitBytes(bytes, size)))).toEqual([
            VALUES,
            VALUES,
          ]);
      }
    },
  );

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le'])('has no byte order mark: %s', (encoding) => {
    const bytes = iconv.encode('a,b,c\n\ufeffd,e,f', encoding, { addBOM: true });
    const rows = readStreamedRows(aSchema(THREE, { encoding }), splitBytes(bytes, 1));
    expect(valuesOf(rows)).toEqual([THREE, ['\ufeffd', 'e', 'f']]);
  });
});
