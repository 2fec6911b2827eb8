import { readFile } from 'node:fs/promises';
import { parse as parseByCsvParse } from 'csv-parse/sync';
import Papa from 'papaparse';
import type { CsvSystem, TypedValue, ValueKind } from './csv-system.js';

/** A parser that converts each value separately. It detects no part of the dialect, or only the delimiter. */
interface Parser {
  readonly name: string;
  /** If `converted` is false, all values are strings. */
  parse(text: string, converted: boolean): { readonly delimiter: string; readonly records: unknown[][] };
}

/** Detects the delimiter, but no headers, encodings or column types. */
export const papaParseSystem = systemOf({
  name: 'Papa Parse',
  parse(text, converted) {
    const { data, meta } = Papa.parse<unknown[]>(text, { skipEmptyLines: true, dynamicTyping: converted });
    return { delimiter: meta.delimiter, records: data };
  },
});

/** Assumes that the delimiter is a comma. */
export const csvParseSystem = systemOf({
  name: 'csv-parse',
  parse(text, converted) {
    const records: unknown[][] = parseByCsvParse(text, { bom: true, skip_empty_lines: true, cast: converted });
    return { delimiter: ',', records };
  },
});

function systemOf({ name, parse }: Parser): CsvSystem {
  const read = async (path: string, converted: boolean): Promise<ReturnType<Parser['parse']>> =>
    parse(await readFile(path, 'utf8'), converted);
  return {
    name,
    ignores: new Set(['skipLines', 'encoding', 'names']),
    async sniff(path) {
      const { delimiter, records } = await read(path, true);
      const unknown = { skipLines: 0, encoding: 'utf-8', names: [] };
      return { ...unknown, delimiter, quote: '"', escape: '"', header: false, kinds: kindsOf(records) };
    },
    readTexts: async (path) => (await read(path, false)).records as string[][],
    readTyped: async (path) => (await read(path, true)).records.map((values) => values.map(typedValue)),
  };
}

/** Ignores the first record if all its values are strings: such a record may be a header. */
function kindsOf(records: readonly unknown[][]): ValueKind[] {
  const width = mostFrequent(records.map(({ length }) => length));
  const [first, ...others] = records;
  const values = first?.every((value) => typeof value === 'string') && others.length > 0 ? others : records;
  return Array.from({ length: width }, (_, column) => {
    const kinds = new Set<ValueKind>();
    for (const record of values) {
      const value = typedValue(record[column]);
      if (value) kinds.add(value.kind);
    }
    if (kinds.size === 2 && kinds.has('integer') && kinds.has('number')) return 'number';
    return kinds.size === 1 ? ([...kinds][0] as ValueKind) : 'text';
  });
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const one of numbers) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

function typedValue(value: unknown): TypedValue {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? 'integer' : 'number', text: String(value) };
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) };
  if (value instanceof Date) return { kind: 'datetime', text: value.toISOString() };
  return { kind: 'text', text: String(value) };
}
