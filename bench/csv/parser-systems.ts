import { readFile } from 'node:fs/promises';
import { parse as parseByCsvParse } from 'csv-parse/sync';
import Papa from 'papaparse';
import type { CsvSystem, TypedValue, ValueKind } from './csv-system.js';

/** A parser of texts, which finds a delimiter at the most, and converts each value by itself. */
interface Parser {
  readonly name: string;
  /** Every record, with the delimiter that it was cut by. `converted` as the parser converts values where it is asked to. */
  parse(text: string, converted: boolean): { readonly delimiter: string; readonly records: unknown[][] };
}

/** Finds the delimiter; knows nothing of headers, encodings and columns. */
export const papaParseSystem = systemOf({
  name: 'Papa Parse',
  parse(text, converted) {
    const { data, meta } = Papa.parse<unknown[]>(text, { skipEmptyLines: true, dynamicTyping: converted });
    return { delimiter: meta.delimiter, records: data };
  },
});

/** Finds nothing: commas, unless it is told. */
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

/**
 * Of each column the kind that all values share, or text. A first record of nothing but texts may be a header, and decides no kind: the parsers
 * cannot tell, and would have no kind but text in any file with a header.
 */
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
