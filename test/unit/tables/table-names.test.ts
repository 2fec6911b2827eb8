import { describe, expect, it } from 'vitest';
import type { SchemaField } from '../../../src/csv/model/data-schema.js';
import { tableFieldsOf } from '../../../src/tables/table-fields.js';
import { tableNameOf } from '../../../src/tables/table-name.js';

describe('the name of a table', () => {
  it.each([
    ['Orders', 'orders'],
    ['Orders of 2026 (final).csv', 'orders_of_2026_final_csv'],
    ['Größe Æ', 'gro_e'],
    ['Überblick', 'uberblick'],
    ['2026', 'table_2026'],
    ['_a__b_', 'a_b'],
    ['売上', 'table'],
    ['"; drop table x; --', 'drop_table_x'],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
    ['a'.repeat(200), 'a'.repeat(63)],
    ['1'.repeat(200), `table_${'1'.repeat(57)}`],
  ])('of %s is %s', (name, expected) => {
    expect(tableNameOf(name)).toBe(expected);
  });
});

describe('the fields of a table', () => {
  const fields = (...names: string[]): SchemaField[] => names.map((name) => ({ name, type: 'String', nullable: true }));
  const names = (...given: string[]): string[] => tableFieldsOf(fields(...given)).map(({ name }) => name);

  it('keep the order, the types, and the scale and unit of a Decimal', () => {
    const given: SchemaField[] = [
      { name: 'price', type: 'Decimal', nullable: true, precision: 5, scale: 2, unit: '$' },
      { name: 'day', type: 'Date', nullable: false, format: 'dd.MM.yy', title: ' day' },
    ];
    expect(tableFieldsOf(given)).toEqual([
      { name: 'price', type: 'Decimal', scale: 2, unit: '$' },
      { name: 'day', type: 'Date' },
    ]);
  });

  it('have names that do not differ only in case from each other or from system columns', () => {
    expect(names('id', 'ID', 'Id')).toEqual(['id', 'ID_2', 'Id_3']);
    expect(names('_row', '_Batch', '_received_at', '_extra')).toEqual([
      '_row_2',
      '_Batch_2',
      '_received_at_2',
      '_extra_2',
    ]);
    expect(names('a', 'A', 'a_2')).toEqual(['a', 'A_3', 'a_2']);
  });
});
