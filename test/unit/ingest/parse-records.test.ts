import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { IngestBodyScanner } from '../../../src/ingest/records/ingest-body-scanner.js';
import { MAX_UNPACKED_BYTES, parseIngestBody } from '../../../src/ingest/records/parse-ingest-body.js';
import { splitRecordFields } from '../../../src/tables/records/split-record-fields.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const LINES = { 'content-type': 'application/x-ndjson' };

const read = (body: string | Buffer, headers: object = JSON_TYPE) => parseIngestBody(Buffer.from(body), headers);
const refused = (body: string | Buffer, headers: object = JSON_TYPE) =>
  read(body, headers).then(
    (lines) => lines,
    ({ code, message }) => `${code} ${message}`,
  );
const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('records of a body', () => {
  it('are one object, an array of objects, or one object per line', async () => {
    expect(await read('{"a":1}')).toEqual(['{"a":1}']);
    expect(await read(' [ {"a":1} , {} ] ')).toEqual(['{"a":1}', '{}']);
    expect(await read('[]')).toEqual([]);
    expect(await read('{"a":1}\r\n\n  {"b":2} ', LINES)).toEqual(['{"a":1}', '{"b":2}']);
    expect(await read('', LINES)).toEqual([]);
  });

  it('keep every digit and key as sent, on one line', async () => {
    const sent = '{\n "n" : 12345678901234567890.1230 ,\t"__proto__":{"x":-0.0},"n":1E+400, "t":" a \\n \\" b  " }';
    expect(await read(sent)).toEqual([
      '{"n":12345678901234567890.1230,"__proto__":{"x":-0.0},"n":1E+400,"t":" a \\n \\" b  "}',
    ]);
  });

  it.each([
    ['{"a":1 2}', 'Record 1 is not valid JSON.'],
    ['{"a":tr \n ue}', 'Record 1 is not valid JSON.'],
    ['{"a" "b"}', 'Record 1 is not valid JSON.'],
    ['{"a":"\\"}', 'Record 1 is not valid JSON.'],
    ['{"a":"\n"}', 'Record 1 is not valid JSON.'],
    ['{"a":1]', 'Record 1 is not valid JSON.'],
    ['[{"a":1},{"a":}]', 'Record 2 is not valid JSON.'],
    ['[{"a":1},7]', 'Record 2 is not a JSON object.'],
    ['[{"a":1},]', 'Record 2 is not a JSON object.'],
    ['[{"a":1}{}]', 'Record 1 is not followed by a comma or the end of the array.'],
    ['[{"a":1}', 'Record 1 is not followed by a comma or the end of the array.'],
    ['{"a":1}\n{"a":2}', 'The body has further content after the JSON value.'],
    ['"text"', 'Record 1 is not a JSON object.'],
    ['', 'Record 1 is not a JSON object.'],
  ])('rejects %j', async (body, sentence) => {
    expect(await refused(body)).toBe(`BAD_REQUEST ${sentence}`);
  });

  it.each([
    ['{"a":\n1}', 'Record 1 is not valid JSON.'],
    ['{"a":1} {"b":1}', 'Record 1 is followed by other content on its line.'],
    ['{}\n[{}]', 'Record 2 is not a JSON object.'],
  ])('rejects the lines %j', async (body, sentence) => {
    expect(await refused(body, LINES)).toBe(`BAD_REQUEST ${sentence}`);
  });

  it('have at most 64 levels and 1,048,576 characters each, and number at most 10,000', async () => {
    expect(await read(nested(64))).toHaveLength(1);
    expect(await refused(nested(65))).toBe('BAD_REQUEST Record 1 is nested more than 64 levels deep.');
    const many = (count: number) => `[${new Array(count).fill('{}').join()}]`;
    expect(await read(many(10_000))).toHaveLength(10_000);
    expect(await refused(many(10_001))).toBe('PAYLOAD_TOO_LARGE The body has more than the maximum of 10000 records.');
    const long = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
    expect(await read(long(1_048_576))).toHaveLength(1);
    expect(await refused(long(1_048_577))).toBe(
      'PAYLOAD_TOO_LARGE Record 1 has more than the maximum of 1,048,576 characters.',
    );
  });

  it.each([
    ['whitespace around a record', `${' '.repeat(2 ** 23)}{}`, 'scanJson'],
    ['whitespace in a record', `{"a":1${' '.repeat(2 ** 23)}}`, 'scanJson'],
    ['whitespace between values', `{"a":[1${`${' '.repeat(200)},1`.repeat(40_000)}]}`, 'scanJson'],
    ['empty lines', `${'\n'.repeat(2 ** 23)}{}`, 'scanLines'],
    ['records', `[${new Array(8).fill(`{"a":"${'x'.repeat(1_000_000)}"}`).join()}]`, 'scanJson'],
  ] as const)('yield to other requests while scanning many %s', async (_input, text, read) => {
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    await new IngestBodyScanner(text)[read]();
    isOver = true;
    expect(turns).toBeGreaterThan(6);
  });

  it('are not scanned beyond the limit of one record', async () => {
    const large = `{"a":[1${' ,1'.repeat(2 ** 20)}`;
    for (const text of [large, `{"a":"${'x'.repeat(2 ** 21)}`, `{${'"\\""'.repeat(2 ** 19)}`])
      expect(await refused(text)).toBe('PAYLOAD_TOO_LARGE Record 1 has more than the maximum of 1,048,576 characters.');
    const spread = `{"a":[1${' , 1'.repeat(500_000)}]}`;
    expect(await read(spread)).toEqual([spread.replaceAll(' ', '')]);
  });

  it('may be compressed with gzip, up to 20 MiB decompressed', async () => {
    const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const packed = gzipSync('{"a":1}');
    expect(await read(packed, gzip)).toEqual(['{"a":1}']);
    const bomb = gzipSync(Buffer.alloc(MAX_UNPACKED_BYTES + 1, ' '));
    expect(await refused(bomb, gzip)).toBe(
      'PAYLOAD_TOO_LARGE The decompressed request body exceeds the limit of 20 MiB.',
    );
    for (const broken of [packed.subarray(0, -1), Buffer.concat([packed, Buffer.from('\0x')]), Buffer.from('{}')])
      expect(await refused(broken, gzip)).toBe('BAD_REQUEST The body is not valid gzip.');
  });

  it.each([
    ['application/json; charset=utf-8', 1],
    ['Application/JSON', 1],
    ['application/cloudevents+json', 1],
    ['application/jsonl', 1],
    ['application/json; charset=latin1', 0],
    ['application/x-www-form-urlencoded', 0],
    ['text/json', 0],
    ['', 0],
  ])('of a body of type %j are parsed only if the type is supported', async (type, count) => {
    const outcome = await refused('{}', { 'content-type': type });
    expect(typeof outcome === 'string' ? outcome.slice(0, 22) : outcome.length).toBe(count || 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('must be UTF-8', async () => {
    expect(await refused(Buffer.from('{"a":"\xe9"}', 'latin1'))).toBe('BAD_REQUEST The body is not UTF-8.');
    const br = { ...JSON_TYPE, 'content-encoding': 'br' };
    expect(await refused('{}', br)).toMatch(/^UNSUPPORTED_MEDIA_TYPE /);
  });
});

describe('fields of a record', () => {
  it('are copied verbatim', async () => {
    const line = '{"a":[1,{"b":"]}"}],"\\u0061b":"x\\"y","n":1.50,"":null}';
    expect(await read(line)).toEqual([line]);
    expect(splitRecordFields(line)).toEqual([
      ['a', '[1,{"b":"]}"}]'],
      ['ab', '"x\\"y"'],
      ['n', '1.50'],
      ['', 'null'],
    ]);
    expect(splitRecordFields('{}')).toEqual([]);
  });

  it.each(['', '{', 'null', '[1]', '{"a"}', '{"a":1', '{"a":"', '{1:2}'])(
    'are rejected in the invalid line %j',
    (line) => {
      expect(() => splitRecordFields(line)).toThrow();
    },
  );
});
