import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FieldType } from '../../../src/csv/model/data-schema.js';
import { parseLosslessJson } from '../../../src/syncs/responses/parse-lossless-json.js';
import { ObjectConverter, type ParsedRecord } from '../../../src/tables/records/convert-object.js';
import { type ConvertedRecord, RecordConverter } from '../../../src/tables/records/convert-record.js';
import { SchemaEvolution } from '../../../src/tables/records/record-schema.js';
import { splitRecordFields } from '../../../src/tables/records/split-record-fields.js';
import { acceptanceCheckOf } from '../../../src/tables/staging/column-type.js';
import { isAmbiguous } from '../../../src/tables/staging/staging-format.js';
import { EXTRA_COLUMN } from '../../../src/tables/table-schema.js';

const TYPES: readonly FieldType[] = [
  ...(['String', 'Boolean', 'Integer', 'Decimal', 'Double', 'Date'] as const),
  ...(['DateTime', 'DateTimeOffset', 'Time', 'UUID', 'JSON'] as const),
];

/** JSON of values near the limits of the types. */
const EDGES = [
  ...['null', 'true', '""', '"\\ud800"', '"\\u0000"', '"1.5"', '{}', '[1,null]', '-0', '1.0', '1e21', '1e400', '0.1'],
  ...['9007199254740993', '9223372036854775807', '9223372036854775808', '0.12345678901234567890', '5e-324'],
  ...['"2026-01-31"', '"2026-02-30"', '"2026-01-31T10:00:00Z"', '"2026-01-31T10:00:00.123456789+02:00"'],
  ...['"10:00:00"', '"2026-01-31T10:00:00"', '"C9BF9E57-1685-4C89-BAFB-FF5AF830BE8A"'],
  ...['"2024-02-29T23:59:59.123456Z"', '"2024-02-29t23:59:59z"', '"2024-01-01T00:00:00+15:59"', '" 2024-01-01 "'],
  ...['"2024-01-01T00:00:00.1234560Z"', '"2024-01-01T00:00:00.1234560+02:00"', '"2024-01-01T00:00:00.12345600000Z"'],
  ...['"a\\u001fb"', '"\\u0001"', '"\\n"', JSON.stringify(`${'long '.repeat(20)}\n`), '"\\u0007"'],
];

const value = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.jsonValue().map((json) => JSON.stringify(json)),
);
const fields = fc.uniqueArray(fc.tuple(fc.oneof(fc.constantFrom(...TYPES), fc.string()), value), {
  selector: ([name]) => name,
  maxLength: 6,
});

const drifts = fc.record({
  policy: fc.constantFrom('add' as const, 'ask' as const, 'freeze' as const),
  refusedFields: fc.array(fc.constantFrom('_extra', 'a', 'b'), { maxLength: 2 }),
});

const typed = TYPES.map((type) => ({ name: type, type, ...(type === 'Decimal' && { scale: 2 }) }));

it('converts and evolves parsed records as their JSON text, in any order of fields', () => {
  const property = fc.property(fc.array(fields, { maxLength: 4 }), fc.boolean(), drifts, (members, hasExtra, drift) => {
    const schema = { fields: hasExtra ? [...typed, { name: EXTRA_COLUMN, type: 'JSON' as const }] : typed };
    const records = members.map((fields) => parseLosslessJson(textOf(fields)) as ParsedRecord);
    const split = records.map((record) => splitRecordFields(JSON.stringify(record)));
    const evolution = new SchemaEvolution(schema);
    if (drift.policy === 'add') for (const fields of split) evolution.observe(fields);
    const converter = new ObjectConverter(schema, drift);
    const converted = records.map((record) => withoutPlain(converter.convert(record)));
    expect(converted).toEqual(split.map((fields) => new RecordConverter(schema, drift).convert(fields)));
    expect(converter.evolve(records)).toEqual(evolution.result());
  });
  fc.assert(property, { numRuns: 1_000 });
});

it('skips the checks of the staging area only for rows that pass them unchanged', () => {
  const converter = new ObjectConverter({ fields: typed });
  const checks = typed.map(acceptanceCheckOf);
  let plain = 0;
  const property = fc.property(fc.constantFrom(...TYPES), value, (type, json) => {
    const converted = converter.convert(parseLosslessJson(textOf([[type, json]])) as ParsedRecord);
    if (!('values' in converted) || !converted.isPlain) return;
    plain += 1;
    for (const [nth, text] of converted.values.entries()) {
      if (text === null) continue;
      expect([text, checks[nth]?.(text) ?? true, isAmbiguous(text), text.isWellFormed()]).toEqual([
        text,
        true,
        false,
        true,
      ]);
    }
  });
  fc.assert(property, { numRuns: 3_000 });
  expect(plain).toBeGreaterThan(100);
});

function textOf(fields: readonly (readonly [name: string, json: string])[]): string {
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

function withoutPlain(converted: ConvertedRecord): ConvertedRecord {
  return 'values' in converted ? { values: converted.values } : converted;
}
