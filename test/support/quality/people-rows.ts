import { afterAll } from 'vitest';
import type { InspectedRows } from '../../../src/quality/checks/inspection.js';
import type { TableField } from '../../../src/tables/table-schema.js';
import { CheckRunner } from './check-runner.js';

export const PEOPLE_FIELDS: readonly TableField[] = [
  { name: 'id', type: 'Integer' },
  { name: 'email', type: 'String' },
  { name: 'amount', type: 'Decimal', scale: 2 },
  { name: 'ratio', type: 'Double' },
  { name: 'active', type: 'Boolean' },
  { name: 'born', type: 'Date' },
  { name: 'seen_at', type: 'DateTimeOffset' },
];

export const ADA = ['1', 'ada@example.com', '1.50', '1', 'true', '1990-12-10', '2026-03-01T11:58:00Z'];
export const BOB = ['2', 'bob@example.com', '20.00', '0.25', 'false', '1991-01-01', '2026-03-01T12:06:00Z'];
export const EVE = ['3', 'eve', '-3.00', null, null, null, '2026-03-01T12:04:00Z'];
export const EMPTY_PERSON = [null, null, null, null, null, null, null];

/** `people` has all kinds of values, and `nobody` is empty. */
export async function checkedPeople(): Promise<{
  inspector: CheckRunner;
  people: InspectedRows;
  nobody: InspectedRows;
}> {
  const inspector = await CheckRunner.open();
  afterAll(() => inspector.close());
  const files = [
    [ADA, BOB],
    [EVE, EMPTY_PERSON, [...ADA]],
  ];
  const people = await inspector.rowsOf({ fields: PEOPLE_FIELDS, files });
  return { inspector, people, nobody: { files: [], schema: { fields: PEOPLE_FIELDS }, rows: 0, rejectedRows: 0 } };
}

export const PRIMARY_KEY = { primaryKey: ['id'] };
