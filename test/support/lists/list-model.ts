import fc from 'fast-check';
import { newId } from '../../../src/kernel/ids.js';
import type { SchemaList } from './schema-lists.js';

// biome-ignore lint/suspicious/noExplicitAny: values of any field
export type Row = Record<string, any>;
type Range = { from?: string; until?: string };

export interface Selection {
  readonly limit: number;
  readonly offset: number;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly orderBy: string | null;
}

/** Returns the expected page of a list. `rows` are all rows of the list, in the default order. */
export function selectRows(
  { filters }: SchemaList,
  rows: readonly Row[],
  { limit, offset, filter, orderBy }: Selection,
) {
  const fits = (value: unknown, name: string, wanted: Range & unknown[] & string): boolean => {
    if (filters[name] === 'flag') return value === wanted;
    if (filters[name] === 'text')
      return String(value ?? '')
        .toLowerCase()
        .includes(wanted.toLowerCase());
    if (filters[name] !== 'time') return wanted.includes(value);
    const { from, until } = wanted;
    return (!from && !until) || (isText(value) && (!from || value >= from) && (!until || value < until));
  };
  const matching = rows.filter((row) =>
    Object.entries(filter).every(([name, wanted]) => fits(row[name], name, wanted as never)),
  );
  const sign = orderBy?.endsWith('_DESC') ? -1 : 1;
  const key = orderBy && propertyOf(orderBy);
  const compare = (a: unknown, b: unknown): number =>
    a === b ? 0 : a === null ? 1 : b === null ? -1 : sign * ((a as string) < (b as string) ? -1 : 1);
  if (key) matching.sort((a, b) => compare(a[key] ?? null, b[key] ?? null) || (a.id < b.id ? -1 : 1));
  return { ids: matching.slice(offset, offset + limit).map(({ id }) => id), total: matching.length };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns `createdAt` for `CREATED_AT_DESC`. */
export function propertyOf(order: string): string {
  const words = order.replace(/_(ASC|DESC)$/, '').toLowerCase();
  return words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Generates selections with up to two filters. Most filter values occur in the rows. */
export function selectionsOf({ filters, orders }: SchemaList, rows: readonly Row[]): fc.Arbitrary<Selection> {
  const valuesOf = (name: string): unknown[] => [...new Set(rows.map((row) => row[name] ?? null))];
  const one = (name: string): fc.Arbitrary<unknown> => {
    const kind = filters[name];
    const texts = valuesOf(name).filter(isText).slice(0, 50);
    if (kind === 'flag') return fc.boolean();
    if (kind === 'time') {
      const time = fc.constantFrom(...texts, new Date(0).toISOString());
      return fc.record({ from: time, until: time }, { requiredKeys: [] });
    }
    if (kind === 'text')
      return fc
        .tuple(fc.constantFrom(...texts, 'none'), fc.nat(20), fc.integer({ min: 1, max: 40 }))
        .map(([text, from, length]) => text.slice(from, from + length).toUpperCase() || text.slice(0, 5));
    return fc.subarray(kind === 'ids' ? [...texts, newId()] : texts);
  };
  const filter = fc
    .shuffledSubarray(Object.keys(filters))
    .map((names) => names.slice(0, 2))
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, one(name)]))));
  return fc.record({
    limit: fc.integer({ min: 1, max: 50 }),
    offset: fc.oneof(fc.constant(0), fc.nat(Math.min(rows.length, 30))),
    filter,
    orderBy: fc.constantFrom(null, ...orders),
  });
}
