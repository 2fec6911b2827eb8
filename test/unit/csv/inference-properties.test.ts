import { describe, expect, it } from 'vitest';
import { createFieldReader } from '../../../src/csv/types/field-reader.js';
import { inferredColumn } from '../../support/csv/inferred-column.js';
import { seededInteger, shuffled } from '../../support/seeded-integers.js';

const COLUMNS = 400;

type Below = (bound: number) => number;
const two = (number: number) => String(number).padStart(2, '0');
const KINDS: readonly ((below: Below) => string)[] = [
  (below) => String(below(100_000) - 50_000),
  (below) => (below(100_000) / 100).toFixed(below(4)),
  (below) => `${below(900)},${below(10)}`,
  (below) => `${1 + below(999)},${100 + below(900)}.${two(below(100))}`,
  (below) => `$${below(1_000)}`,
  (below) => `${below(10)}.5e${below(20)}`,
  (below) => (below(2) ? 'yes' : 'No'),
  (below) => `${two(1 + below(28))}/${two(1 + below(12))}/2024`,
  (below) => `2024-${two(1 + below(12))}-${two(1 + below(31))}`,
  (below) => `2024-01-${two(1 + below(31))}T${two(below(24))}:${two(below(60))}:00${below(2) ? 'Z' : '+01:00'}`,
  (below) => `${below(24)}:${two(below(60))}`,
  (below) => `{"a":${below(100)}}`,
  (below) => `word ${below(100)}`,
  (below) => two(below(100)),
];

/** Returns values of one kind. A third of the columns also have one to three values of another kind. */
function aColumn(below: Below): string[] {
  const kind = KINDS[below(KINDS.length)] as (typeof KINDS)[number];
  const other = KINDS[below(KINDS.length)] as (typeof KINDS)[number];
  const strangers = below(3) === 0 ? 1 + below(3) : 0;
  const own = Array.from({ length: 3 + below(60) }, () => kind(below));
  return shuffled([...own, ...Array.from({ length: strangers }, () => other(below))], below);
}

const below = seededInteger(20_241);
const columns = Array.from({ length: COLUMNS }, () => aColumn(below));

describe('for random values', () => {
  it('the inferred type reads all of them', () => {
    const unread = columns.filter((values) => {
      const read = createFieldReader(inferredColumn(values).field);
      return values.some((value) => read?.(value) === undefined);
    });
    expect(unread).toEqual([]);
  });

  it('the type does not depend on their order', () => {
    const changed = columns.filter((values) => {
      const [field, again] = [values, shuffled(values, below)].map((order) => inferredColumn(order).field);
      return JSON.stringify(field) !== JSON.stringify(again);
    });
    expect(changed).toEqual([]);
  });

  it.each(['', 'NULL', '-'])('a null %j does not change the type', (missing) => {
    const changed = columns.filter(
      (values) => inferredColumn(values).field.type !== inferredColumn([...values, missing]).field.type,
    );
    expect(changed).toEqual([]);
  });

  it('the result is deterministic', () => {
    for (const values of columns) expect(inferredColumn(values)).toEqual(inferredColumn([...values]));
  });

  it('most types occur', () => {
    const types = new Set(columns.map((values) => inferredColumn(values).field.type));
    expect([...types].sort()).toEqual([
      'Boolean',
      'Date',
      'DateTimeOffset',
      'Decimal',
      'Double',
      'Integer',
      'JSON',
      'String',
      'Time',
    ]);
  });
});
