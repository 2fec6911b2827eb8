import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { ResponseFormat } from '../../../src/catalog/model/response-extraction.js';
import { readTapResponse } from '../../../src/syncs/responses/read-tap-response.js';
import { buildReading, buildReply } from '../../support/tap-response.js';

interface Options {
  readonly format?: ResponseFormat;
  readonly responsePath?: string;
  readonly contentType?: string;
  readonly maxBytes?: number;
  readonly extraction?: object;
}

function read(
  body: string | Buffer,
  { format = 'json', responsePath, contentType, maxBytes, extraction }: Options = {},
) {
  const responseExtraction = { responseFormat: format, responsePath, ...extraction };
  const reading = buildReading({ tap: { responseExtraction } });
  const headers: Record<string, string> = contentType ? { 'content-type': contentType } : {};
  return readTapResponse(reading, buildReply({ body, headers }), { maxBytes }).records;
}

interface ZippedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly isStored?: boolean;
  readonly flags?: number;
  readonly size?: number;
}

/** A zip archive as APPNOTE.TXT describes it. */
function zip(...files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored = false, flags = 0, size = content.length } of files) {
    const packed = isStored ? content : deflateRawSync(content);
    const [head, entry] = [Buffer.alloc(30), Buffer.alloc(46)];
    for (const [record, at] of [
      [head, 0],
      [entry, 2],
    ] as const) {
      record.writeUInt16LE(flags, at + 6);
      record.writeUInt16LE(isStored ? 0 : 8, at + 8);
      record.writeUInt32LE(crc32(content), at + 14);
      record.writeUInt32LE(packed.length, at + 18);
      record.writeUInt32LE(size, at + 22);
      record.writeUInt16LE(name.length, at + 26);
    }
    head.write('PK\u0003\u0004', 'latin1');
    entry.write('PK\u0001\u0002', 'latin1');
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, Buffer.from(name));
    parts.push(head, Buffer.from(name), packed);
    offset += head.length + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
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
    ['id,secret\n1,2\n3', 'The record at line 3 has 1 values for 2 columns.'],
    ['id,secret\n1,2,3', 'The record at line 2 has 3 values for 2 columns.'],
    ['id,id\n1,2', 'The header line has empty or duplicate column names.'],
    ['id,\n1,2', 'The header line has empty or duplicate column names.'],
    ['id,b\n1,"secret', 'A quote in the record at line 2 is never closed.'],
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

describe('a compressed file', () => {
  const content = Buffer.from('[{"id":1}]');

  it('is read if it is gzip, a zip with a compressed file, or a zip with a stored file', () => {
    const folder = { name: 'out/', content: Buffer.alloc(0), isStored: true };
    for (const body of [
      gzipSync(content),
      zip({ name: 'a.json', content }),
      zip(folder, { name: 'out/a.json', content, isStored: true }),
    ])
      expect(read(body)).toEqual([{ id: 1 }]);
  });

  it('is a contract error if it exceeds the limit after decompression, whatever size a zip states', () => {
    const large = Buffer.alloc(1_000_000, '[');
    for (const body of [gzipSync(large), zip({ name: 'a', content: large, size: 10 })])
      expect(() => read(body, { maxBytes: 1_000 })).toThrow('exceeds the size limit of a page');
  });

  it.each([
    ['two files', zip({ name: 'a', content }, { name: 'b', content }), 'does not contain exactly one file'],
    ['no file', zip({ name: 'a/', content: Buffer.alloc(0) }), 'does not contain exactly one file'],
    ['an encrypted file', zip({ name: 'a', content, flags: 1 }), 'is encrypted'],
    ['a cut archive', zip({ name: 'a', content }).subarray(0, 40), 'is damaged'],
    ['a cut gzip file', gzipSync(content).subarray(0, 20), 'is damaged'],
  ])('is a contract error with %s', (_, body, problem) => {
    expect(() => read(body)).toThrow(`The compressed file in the response ${problem}.`);
  });

  it('is a contract error if the checksum or any offset is wrong', () => {
    const archive = zip({ name: 'a', content, isStored: true });
    for (let at = 4; at < archive.length; at++) {
      const changed = Buffer.from(archive);
      changed[at] = (changed[at] as number) ^ 0xff;
      try {
        expect(read(changed)).toEqual([{ id: 1 }]);
      } catch (error) {
        expect(error).toMatchObject({ name: 'TapReadError', errorClass: 'contract' });
      }
    }
  });
});
