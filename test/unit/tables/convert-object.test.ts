import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FieldType } from '../../../src/csv/model/data-schema.js';
import { parseLosslessJson } from '../../../src/syncs/responses/parse-lossless-json.js';
import { ObjectConverter, type ParsedRecord } from '../../../src/tables/records/convert-object.js';
import { RecordConverter } from '../../../src/tables/records/convert-record.js';
import { SchemaEvolution } from '../../../src/tables/records/record-schema.js';
import { splitRecordFields } from '../../../src/tables/records/split-record-fields.js';
import { EXTRA_COLUMN } from '../../../src/tables/table-schema.js';

const TYPES: readonly FieldType[] = [
  ...(['String', 'Boolean', 'Integer', 'Decimal', 'Double', 'Date'] as const),
  ...(['DateTime', 'DateTimeOffset', 'Time', 'UUID', 'JSON'] as const),
];

/** JSON texts of values that are near the limits of the types. */
const EDGES = [
  ...['null', 'true', '""', '"\\ud800"', '"\\u0000"', '"1.5"', '{}', '[1,null]', '-0', '1.0', '1e21', '1e400', '0.1'],
  ...['9007199254740993', '9223372036854775807', '9223372036854775808', '0.12345678901234567890', '5e-324'],
  ...['"2026-01-31"', '"2026-02-30"', '"2026-01-31T10:00:00Z"', '"2026-01-31T10:00:00.123456789+02:00"'],
  ...['"10:00:00"', '"2026-01-31T10:00:00"', '"C9BF9E57-1685-4C89-BAFB-FF5AF830BE8A"'],
];

const value = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.jsonValue().map((json) => JSON.stringify(json)),
);
const fields = fc.uniqueArray(fc.tuple(fc.oneof(fc.constantFrom(...TYPES), fc.string()), value), {
  selector: ([name]) => name,
  maxLength: 6,
});

it('converts and evolves parsed records as their JSON text', () => {
  const typed = TYPES.map((type) => ({ name: type, type, ...(type === 'Decimal' && { scale: 2 }) }));
  const property = fc.property(fields, fc.boolean(), (members, hasExtra) => {
    const schema = { fields: hasExtra ? [...typed, { name: EXTRA_COLUMN, type: 'JSON' as const }] : typed };
    const text = `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
    const record = parseLosslessJson(text) as ParsedRecord;
    const split = splitRecordFields(JSON.stringify(record));
    const evolution = new SchemaEvolution(schema);
    evolution.observe(split);
    const converter = new ObjectConverter(schema);
    expect(converter.convert(record)).toEqual(new RecordConverter(schema).convert(split));
    expect(converter.evolve([record])).toEqual(evolution.result());
  });
  fc.assert(property, { numRuns: 1_000 });
});
