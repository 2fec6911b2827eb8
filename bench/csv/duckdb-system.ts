import { DuckDBInstance } from '@duckdb/node-api';
import type { CsvSystem, SniffedCsv, TypedValue, ValueKind } from './csv-system.js';
import { DUCKDB_KINDS } from './type-vocabularies.js';

interface Sniffed {
  readonly Delimiter: string;
  readonly Quote: string;
  readonly Escape: string;
  readonly SkipRows: number;
  readonly HasHeader: boolean;
  readonly Columns: readonly { readonly name: string; readonly type: string }[];
  /** A statement that reads the file with the detected dialect. */
  readonly Prompt: string;
}

/** DuckDB's text for a missing character. */
const NONE = '(empty)';

export async function openDuckDbSystem(): Promise<CsvSystem & { close(): void }> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();

  const sniff = async (path: string): Promise<Sniffed> => {
    const reader = await connection.runAndReadAll('FROM sniff_csv($path)', { path });
    return reader.getRowObjectsJson()[0] as unknown as Sniffed;
  };
  const rowsOf = async (sql: string): Promise<(string | null)[][]> =>
    (await connection.runAndReadAll(sql)).getRowsJson() as (string | null)[][];

  return {
    name: 'DuckDB',
    ignores: new Set(),
    sniff: async (path) => sniffedCsv(await sniff(path)),
    async readTexts(path) {
      const sniffed = await sniff(path);
      const rows = await rowsOf(readAsTexts(path, sniffed));
      const texts = rows.map((row) => row.map((value) => value ?? ''));
      return sniffed.HasHeader ? [sniffed.Columns.map(({ name }) => name), ...texts] : texts;
    },
    async readTyped(path) {
      const sniffed = await sniff(path);
      const { kinds } = sniffedCsv(sniffed);
      const rows = await rowsOf(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sniffed.Prompt.replace(/;\s*$/, '')})`);
      return rows.map((row) => row.map((text, i) => typedValue(kinds[i] as ValueKind, text)));
    },
    close: () => connection.closeSync(),
  };
}

function sniffedCsv({ Delimiter, Quote, Escape, SkipRows, HasHeader, Columns }: Sniffed): SniffedCsv {
  return {
    delimiter: Delimiter,
    quote: Quote === NONE ? '' : Quote,
    escape: Escape === NONE ? '' : Escape,
    header: HasHeader,
    skipLines: Number(SkipRows),
    encoding: 'utf-8', // DuckDB always assumes UTF-8.
    names: Columns.map(({ name }) => name),
    kinds: Columns.map(({ type }) => DUCKDB_KINDS[type] ?? 'text'),
  };
}

function typedValue(kind: ValueKind, text: string | null): TypedValue {
  return text === null ? null : { kind, text };
}

function readAsTexts(path: string, { Delimiter, Quote, Escape, SkipRows, HasHeader, Columns }: Sniffed): string {
  const character = (found: string): string => quoted(found === NONE ? '' : found);
  const columns = Columns.map((_, index) => `'c${index}': 'VARCHAR'`);
  return `FROM read_csv(${quoted(path)}, auto_detect = false, delim = ${character(Delimiter)}, quote = ${character(Quote)},
    escape = ${character(Escape)}, skip = ${SkipRows}, header = ${HasHeader}, columns = {${columns.join(', ')}})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
