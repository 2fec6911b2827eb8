import { describe, expect, it } from 'vitest';
import type { RecordTransform, ResponseExtraction } from '../../../src/catalog/model/response-extraction.js';
import { completeRecord } from '../../../src/syncs/responses/complete-record.js';
import { parseLosslessJson } from '../../../src/syncs/responses/parse-lossless-json.js';
import { readTapResponse } from '../../../src/syncs/responses/read-tap-response.js';
import { isKept } from '../../../src/syncs/responses/transform-record.js';
import type { VendorRecord } from '../../../src/syncs/tap-page.js';
import { aReading, type ReadingFields } from '../../support/syncs/tap-reading.js';

const readingOf = (responseExtraction: ResponseExtraction, fields: ReadingFields = {}) =>
  aReading({ tap: { responseExtraction, schema: {}, sync: { mode: 'full' } }, ...fields });

function changed(transform: RecordTransform[], record: VendorRecord, parentFields = {}): unknown {
  return completeRecord(readingOf({ transform }, { parentFields }), record).record;
}

describe('a change to a record', () => {
  it('sets fields to the values of expressions, including values of the parent', () => {
    const set = { total: 'sum(lines[].price)', org: 'org_id', none: 'nothing', id: "join('-', [kind, to_string(id)])" };
    expect(changed([{ set }], { id: 7, kind: 'a', lines: [{ price: 1 }, { price: 2 }] }, { org_id: 'o' })).toEqual({
      ...{ id: 'a-7', kind: 'a', lines: [{ price: 1 }, { price: 2 }], total: 3, org: 'o', none: null },
      org_id: 'o',
    });
  });

  it('keeps all digits of numbers', () => {
    const record = parseLosslessJson('{"id":12345678901234567890}') as VendorRecord;
    const changedRecord = completeRecord(readingOf({ transform: [{ set: { copy: 'id' } }] }), record).record;
    expect(JSON.stringify(changedRecord)).toBe('{"id":12345678901234567890,"copy":12345678901234567890}');
  });

  it('removes fields and nested fields', () => {
    const record = { id: 1, a: { b: 1, c: 2 }, 'x.y': 3, d: 4 };
    expect(changed([{ remove: ['a.b', 'x.y', 'd', 'e', 'id.z'] }], record)).toEqual({ id: 1, a: { c: 2 } });
  });

  it('renames fields', () =>
    expect(changed([{ rename: { Id: 'id', 'a.b': 'b', none: 'other' } }], { Id: 1, a: { b: 2 } })).toEqual({
      ...{ id: 1, a: {}, b: 2 },
    }));

  it('moves the members of an object to the record', () => {
    const record = { id: 1, attributes: { name: 'n', id: 2 }, owner: { id: 3 } };
    expect(changed([{ flatten: { field: 'owner' } }], record)).toEqual({
      ...{ id: 1, attributes: { name: 'n', id: 2 }, owner_id: 3 },
    });
    expect(changed([{ flatten: { field: 'attributes', prefix: '' } }], record)).toEqual({
      ...{ id: 1, attributes: { id: 2 }, name: 'n', owner: { id: 3 } },
    });
    expect(changed([{ flatten: { field: 'id' } }], { id: 1 })).toEqual({ id: 1 });
  });

  it('sees the result of the previous changes', () =>
    expect(changed([{ rename: { a: 'b' } }, { set: { c: 'b' } }, { remove: ['b'] }], { a: 1 })).toEqual({ c: 1 }));

  it('can supply the primary key and the cursor', () => {
    const transform = [{ rename: { Key: 'id' } }, { set: { at: 'meta.changed' } }];
    const reading = aReading({
      tap: {
        responseExtraction: { primaryKey: 'id', transform },
        schema: {},
        sync: { mode: 'incremental', cursorField: 'at' },
      },
    });
    const record = { Key: 'k', meta: { changed: '2026-01-01T00:00:00Z' } };
    expect(completeRecord(reading, record)).toMatchObject({ key: 'k', cursor: Date.UTC(2026, 0, 1) });
    const reply = { status: 200, url: '', headers: new Headers(), body: Buffer.from(JSON.stringify(record)) };
    expect(readTapResponse(reading, reply as never).records).toEqual([record]);
  });

  it('happens before unknown fields are removed', () => {
    const tap = {
      responseExtraction: { transform: [{ rename: { Id: 'id' } }] },
      schema: { properties: { id: {} } },
      customFields: { captureUnknownFields: false },
      sync: { mode: 'full' as const },
    };
    expect(completeRecord(aReading({ tap }), { Id: 1, other: 2 }).record).toEqual({ id: 1 });
  });
});

describe('a record filter', () => {
  const kept = (recordFilter: string | undefined, record: VendorRecord, parentFields = {}) =>
    isKept(readingOf({ ...(recordFilter !== undefined && { recordFilter }) }, { parentFields }), record);

  it.each<[string | undefined, VendorRecord, boolean]>([
    [undefined, {}, true],
    ["type == 'order'", { type: 'order' }, true],
    ["type == 'order'", { type: 'refund' }, false],
    ['!archived', {}, true],
    ['!archived', { archived: true }, false],
    ["contains(tags, 'a')", { tags: null }, false],
    ['amount > `10`', { amount: 11 }, true],
  ])('%s keeps %j: %s', (filter, record, expected) => expect(kept(filter, record)).toBe(expected));

  it('can compare with fields of the parent', () => {
    expect(kept('owner == org_owner', { owner: 'a' }, { org_owner: 'a' })).toBe(true);
    expect(kept('owner == org_owner', { owner: 'b' }, { org_owner: 'a' })).toBe(false);
  });
});

describe('records nested in other records', () => {
  it('can contain fields of the outer record', () => {
    const responsePath = '(orders[].let $order = @ in lines[].merge(@, {order_id: $order.id}))[]';
    const body = {
      orders: [{ id: 1, lines: [{ sku: 'a' }, { sku: 'b' }] }, { id: 2, lines: [{ sku: 'c' }] }, { id: 3 }],
    };
    const reply = { status: 200, url: '', headers: new Headers(), body: Buffer.from(JSON.stringify(body)) };
    expect(readTapResponse(readingOf({ responsePath }), reply as never).records).toEqual([
      { sku: 'a', order_id: 1 },
      { sku: 'b', order_id: 1 },
      { sku: 'c', order_id: 2 },
    ]);
  });
});
