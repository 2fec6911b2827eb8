import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { CsvDialect, ResponseFormat } from '../../../src/catalog/model/response-extraction.js';
import { readTapResponse } from '../../../src/syncs/responses/read-tap-response.js';
import { buildReading, buildReply } from '../../support/tap-response.js';

interface Options {
  readonly format?: ResponseFormat;
  readonly responsePath?: string;
  readonly contentType?: string;
  readonly extraction?: object;
}

function read(body: string | Buffer, { format = 'json', responsePath, contentType, extraction }: Options = {}) {
  const responseExtraction = { responseFormat: format, responsePath, ...extraction };
  const reading = buildReading({ tap: { responseExtraction } });
  const headers: Record<string, string> = contentType ? { 'content-type': contentType } : {};
  return readTapResponse(reading, buildReply({ body, headers })).records;
}

describe('jsonl', () => {
  it('reads each line, ignoring blank lines, and keeps all digits', () => {
    const records = read('\ufeff{"id":9007199254740993}\r\n\n{"id":2}', { format: 'jsonl' });
    expect(JSON.stringify(records)).toBe('[{"id":9007199254740993},{"id":2}]');
    expect(read('', { format: 'jsonl' })).toEqual([]);
  });

  it('names an invalid line without quoting it', () => {
    expect(() => read('{"id":1}\n\n{"secret"', { format: 'jsonl' })).toThrow(
      /^Line 3 of the response is not valid JSON\.$/,
    );
  });
});

describe('csv', () => {
  const csv = (text: string, options: Options = {}) => read(text, { format: 'csv', ...options });

  it('reads rows by header as strings, with null for empty values', () => {
    expect(csv('\ufeffid,"a, b",c\r\n007,"say ""hi""\nthere",\r\n\r\n2,"",x')).toEqual([
      { id: '007', 'a, b': 'say "hi"\nthere', c: null },
      { id: '2', 'a, b': null, c: 'x' },
    ]);
  });

  it.each([',', ';', '\t', '|'])('detects the delimiter %j', (delimiter) => {
    expect(csv(`"a;,|\tx"${delimiter}b\n1${delimiter}2`)).toEqual([{ 'a;,|\tx': '1', b: '2' }]);
  });

  it('does not count delimiters in quotes', () => {
    expect(csv('"a,,b";c\n1;2')).toEqual([{ 'a,,b': '1', c: '2' }]);
  });

  it('has no records without rows', () => {
    expect(csv('id,name\n')).toEqual([]);
    expect(csv('')).toEqual([]);
  });

  it('reads __proto__ as an ordinary column', () => {
    expect(JSON.stringify(csv('__proto__,id\nx,1'))).toBe('[{"__proto__":"x","id":"1"}]');
  });

  it.each([
    ['id,secret\n1,2\n3', 'The number of values (1) at line 3 differs from the number of columns (2).'],
    ['id,secret\n1,2,3', 'The number of values (3) at line 2 differs from the number of columns (2).'],
    ['id,id\n1,2', 'The header line has empty or duplicate column names.'],
    ['id,\n1,2', 'The header line has empty or duplicate column names.'],
    ['id,b\n1,"secret', 'An opening quote in the record at line 2 has no closing quote.'],
  ])('rejects %j without quoting it', (text, problem) => {
    expect(() => csv(text)).toThrow(`The CSV response is invalid: ${problem}`);
  });

  it('requires the primary key in the header line, unless the service adds it', () => {
    const synthetic = { primaryKey: 'k', syntheticPrimaryKey: { fields: ['id'], outputField: 'k' } };
    expect(csv('id\n1', { extraction: { primaryKey: 'id' } })).toHaveLength(1);
    expect(csv('id\n1', { extraction: synthetic })).toHaveLength(1);
    expect(() => csv('No secret found', { extraction: { primaryKey: 'id' } })).toThrow(
      /^The CSV response is invalid: The header line lacks the primary key id\.$/,
    );
  });

  it('rejects JSON, which would look like a header line without rows', () => {
    expect(() => csv('{"error":"secret"}', { contentType: 'application/problem+json; charset=utf-8' })).toThrow(
      'The response is JSON instead of csv.',
    );
  });
});

describe('the character encoding', () => {
  const json = '[{"id":"é€"}]';

  it.each([
    ['utf-8', undefined],
    ['windows-1252', 'application/json; charset=windows-1252'],
    ['iso-8859-15', 'application/json;charset="ISO-8859-15"'],
  ])('%s is read from the content type %s', (encoding, contentType) => {
    expect(read(iconv.encode(json, encoding), { contentType })).toEqual([{ id: 'é€' }]);
  });

  it.each(['utf-16le', 'utf-16be', 'utf-8'])('%s is read from the byte order mark', (encoding) => {
    const body = iconv.encode(json, encoding, { addBOM: true });
    expect(read(body, { contentType: 'application/json; charset=utf-8' })).toEqual([{ id: 'é€' }]);
  });

  it('is a contract error if it does not exist', () => {
    expect(() => read(json, { contentType: 'application/json; charset=secret' })).toThrow(
      /^The response has an unknown character encoding\.$/,
    );
  });
});

describe('a CSV dialect', () => {
  const readCsv = (text: string | Buffer, csv: CsvDialect, extraction = {}) =>
    read(text, { format: 'csv', extraction: { csv, ...extraction } });

  it.each<[string, string, CsvDialect]>([
    ['a delimiter', 'id^n\n1^a,b', { delimiter: '^' }],
    ['a quote', "id,n\n1,'a,b'", { quote: "'" }],
    ['lines before the header', 'Report of 2026\n"no, header\nid;n\n1;a,b', { skipLines: 2 }],
    ['columns without a header line', '1|a,b', { columns: ['id', 'n'], delimiter: '|' }],
    ['comments', '# x\nid;n\n# y\n1;a,b', { comment: '#' }],
    ['an escape', 'id,n\n1,"a\\,b"', { escape: '\\' }],
    ['no quotes', 'id;n\n1;a,b', { quote: '' }],
  ])('has %s', (_, text, csv) => {
    const [record] = readCsv(text, csv);
    expect([record?.id, String(record?.n).replace('\\', '')]).toEqual(['1', 'a,b']);
  });

  it('keeps quotes as text if quotes have no meaning', () =>
    expect(readCsv('id;n\n1;"a', { quote: '', delimiter: ';' })).toEqual([{ id: '1', n: '"a' }]));

  it('has an encoding, which the response can override', () => {
    const body = iconv.encode('id,n\n1,é', 'windows-1252');
    expect(readCsv(body, { encoding: 'windows-1252' })).toEqual([{ id: '1', n: 'é' }]);
    expect(
      read('id,n\n1,é', {
        ...{ format: 'csv', contentType: 'text/csv; charset=utf-8' },
        extraction: { csv: { encoding: 'windows-1252' } },
      }),
    ).toEqual([{ id: '1', n: 'é' }]);
  });

  it('may lack a primary key that a change to the record supplies', () => {
    expect(readCsv('Key,n\n1,a', {}, { primaryKey: 'id', transform: [{ rename: { Key: 'id' } }] })).toHaveLength(1);
    expect(() => readCsv('Key,n\n1,a', {}, { primaryKey: 'id' })).toThrow('lacks the primary key');
    expect(() => readCsv('1,a', { columns: ['a', 'b'] }, { primaryKey: 'id' })).toThrow('lacks the primary key');
  });
});
