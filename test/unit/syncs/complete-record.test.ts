import { describe, expect, it } from 'vitest';
import { completeRecord } from '../../../src/syncs/responses/complete-record.js';
import { parseLosslessJson } from '../../../src/syncs/responses/parse-lossless-json.js';
import type { VendorRecord } from '../../../src/syncs/tap-page.js';
import { buildReading } from '../../support/tap-response.js';

const recordOf = (json: string) => parseLosslessJson(json) as VendorRecord;

function keyed(definition: object, record: VendorRecord, parentFields = {}): string | undefined {
  const syntheticPrimaryKey = { outputField: 'k', ...definition };
  const tap = { responseExtraction: { primaryKey: 'k', syntheticPrimaryKey } };
  return completeRecord(buildReading({ tap, parentFields }), record).key;
}

function cursorOf(value: unknown, cursorValueFormat?: string): number | undefined {
  const tap = { sync: { mode: 'incremental' as const, cursorField: 'at', cursorValueFormat } };
  return completeRecord(buildReading({ tap }), { at: value }).cursor;
}

describe('completeRecord', () => {
  it('prints one line without whitespace and with all digits', () => {
    const { record } = completeRecord(buildReading(), recordOf('{ "id": 9007199254740993, "a": [1, {"b": "x\\ny"}] }'));
    const line = JSON.stringify(record);
    expect(line).toBe('{"id":9007199254740993,"a":[1,{"b":"x\\ny"}]}');
  });

  it('copies the fields of the parent, which override fields of the record', () => {
    const reading = buildReading({ parentFields: { issue_key: 'A-1', role: null } });
    expect(JSON.stringify(completeRecord(reading, { id: 1, issue_key: 'x' }).record)).toBe(
      '{"id":1,"issue_key":"A-1","role":null}',
    );
  });

  it('stores unknown fields unless the tap excludes them', () => {
    const schema = { properties: { id: {} } };
    const record = recordOf('{"id":1,"x__c":2,"other":3,"__proto__":{"a":1}}');
    const line = (customFields?: object) =>
      JSON.stringify(completeRecord(buildReading({ tap: { schema, customFields } }), record).record);
    expect(line()).toBe('{"id":1,"x__c":2,"other":3,"__proto__":{"a":1}}');
    expect(line({ captureUnknownFields: true })).toBe(line());
    expect(line({ captureUnknownFields: false })).toBe('{"id":1}');
    expect(line({ captureUnknownFields: false, knownCustomFieldKeyPatterns: ['__c$'] })).toBe('{"id":1,"x__c":2}');
  });

  it('keeps parent fields, the synthetic key and the cursor when it removes unknown fields', () => {
    const reading = buildReading({
      tap: {
        schema: { properties: {} },
        customFields: { captureUnknownFields: false },
        responseExtraction: { primaryKey: 'k', syntheticPrimaryKey: { fields: ['id'], outputField: 'k' } },
        sync: { mode: 'incremental', cursorField: 'at' },
      },
      parentFields: { parent: 'p' },
    });
    const { record, key, cursor } = completeRecord(reading, { id: 1, at: '1970-01-01T00:00:01Z' });
    expect(record).toEqual({ parent: 'p', k: key });
    expect(cursor).toBe(1_000);
  });
});

describe('the key of a record', () => {
  it.each([
    ['{"id":"a"}', 'a'],
    ['{"id":5}', '5'],
    ['{"id":9007199254740993}', '9007199254740993'],
    ['{"id":{"a":1}}', '{"a":1}'],
    ['{"id":null}', undefined],
    ['{"id":""}', undefined],
    ['{}', undefined],
  ])('of %s is the text of the primary key', (json, key) => {
    expect(completeRecord(buildReading(), recordOf(json)).key).toBe(key);
  });

  it('is the hash of the joined fields, including fields of the parent', () => {
    const key = keyed(
      { fields: ['group_id', 'id'], separator: ':', algorithm: 'sha1' },
      { id: 'u1' },
      { group_id: 'g1' },
    );
    // printf 'g1:u1' | sha1sum
    expect(key).toBe('512a9ed0832bef007385ccb842f6b741be00e026');
  });

  it('is computed from the fields of the parent if the record has fields of the same name', () => {
    const definition = { fields: ['group_id'] };
    expect(keyed(definition, { group_id: 'x' }, { group_id: 'g1' })).toBe(keyed(definition, { group_id: 'g1' }));
  });

  it.each([
    ['sha1', 40],
    ['sha256', 64],
    ['md5', 32],
  ])('uses the algorithm %s', (algorithm, length) => {
    expect(keyed({ fields: ['id'], algorithm }, { id: 1 })).toHaveLength(length);
  });

  it('rejects another algorithm as an error of the definition', () => {
    expect(() => keyed({ fields: ['id'], algorithm: 'crc32' }, { id: 1 })).toThrow('crc32 is not supported');
  });

  it('differs for values that contain the separator, for null and for the empty string', () => {
    const keys = [
      { a: 'x|y', b: 'z' },
      { a: 'x', b: 'y|z' },
      { a: 'x\\', b: 'y|z' },
      { a: 'x' },
      { a: 'x', b: '' },
      { a: 'x', b: '\\N' },
    ].map((record) => keyed({ fields: ['a', 'b'] }, record));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is the same for null and a missing field, for equal numbers and for objects in another order', () => {
    const key = (json: string) => keyed({ fields: ['a', 'b'] }, recordOf(json));
    expect(key('{"a":1,"b":null}')).toBe(key('{"a":1}'));
    expect(key('{"a":1.0}')).toBe(key('{"a":1}'));
    expect(key('{"a":{"x":1,"y":[{"p":1,"q":2}]}}')).toBe(key('{"a":{"y":[{"q":2,"p":1}],"x":1}}'));
    expect(key('{"a":9007199254740993}')).not.toBe(key('{"a":9007199254740992}'));
  });

  it('is missing if all fields are null', () => {
    expect(keyed({ fields: ['a', 'b'] }, { a: null })).toBeUndefined();
  });
});

describe('the cursor of a record', () => {
  it.each([
    ['2026-01-02T03:04:05Z', undefined, '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.678901+02:00', 'iso8601', '2026-01-02T01:04:05.678Z'],
    ['2026-01-02T03:04:05.000-0530', 'iso8601', '2026-01-02T08:34:05.000Z'],
    ['2026-01-02 03:04:05', 'iso8601', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04', 'iso8601', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02', 'date', '2026-01-02T00:00:00.000Z'],
    [1_700_000_000, 'epoch_seconds', '2023-11-14T22:13:20.000Z'],
    ['1700000000.001100', 'epoch_seconds', '2023-11-14T22:13:20.001Z'],
    [1_700_000_000_123, 'epoch_millis', '2023-11-14T22:13:20.123Z'],
    ['1700000000123', undefined, '2023-11-14T22:13:20.123Z'],
    ['1700000000.5', undefined, '2023-11-14T22:13:20.500Z'],
    [1_700_000_000_123_456, undefined, '2023-11-14T22:13:20.123Z'],
  ])('reads %s in the format %s', (value, format, expected) => {
    expect(new Date(cursorOf(value, format) as number).toISOString()).toBe(expected);
  });

  it.each(['', 'soon', '2026-02-30', '2026-01-02T25:00:00Z', null, undefined, true, {}, [1]])(
    'is missing for %o',
    (value) => {
      expect(cursorOf(value, 'iso8601')).toBeUndefined();
    },
  );

  it('comes from a nested field', () => {
    const tap = { sync: { mode: 'incremental' as const, cursorField: 'fields.updated' } };
    expect(completeRecord(buildReading({ tap }), { fields: { updated: '1970-01-02' } }).cursor).toBe(86_400_000);
    expect(completeRecord(buildReading({ tap }), { 'fields.updated': '1970-01-03' }).cursor).toBe(172_800_000);
  });
});
