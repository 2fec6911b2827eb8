import { readFile } from 'node:fs/promises';
import { checkHead } from '../../src/csv/check-head.js';
import { readText } from '../../src/csv/encoding/decode-text.js';
import { inferSchema } from '../../src/csv/infer-schema.js';
import type { DataSchema, FieldType, SchemaField } from '../../src/csv/model/data-schema.js';
import { readCsvTable } from '../../src/csv/read-csv-table.js';
import { parseCsvRecords } from '../../src/csv/records/parse-csv-records.js';
import { readTableRows } from '../../src/csv/table-rows.js';
import { columnTypes } from '../../src/csv/types/column-types.js';
import type { CsvSystem, SniffedCsv, TypedValue, ValueKind } from './csv-system.js';

const KINDS: Readonly<Record<FieldType, ValueKind>> = {
  String: 'text',
  Boolean: 'boolean',
  Integer: 'integer',
  Decimal: 'number',
  Double: 'number',
  Date: 'date',
  DateTime: 'datetime',
  DateTimeOffset: 'datetime',
  Time: 'time',
  UUID: 'uuid',
  JSON: 'json',
};

const WHOLE = { isWhole: true } as const;

export const taprootSystem: CsvSystem = {
  name: 'Taproot',
  ignores: new Set(),
  async sniff(path) {
    const { dialect, fields } = schemaOf(await readFile(path));
    const { delimiter, quote, escape: escapes, header, skipLines, encoding } = dialect;
    const names = fields.map(({ name }) => name);
    const kinds = fields.map(kindOfField);
    return {
      delimiter,
      quote: quote ?? '',
      escape: escapes ?? '',
      header,
      skipLines,
      encoding,
      names,
      kinds,
    } satisfies SniffedCsv;
  },
  readTexts: async (path) => textsOf(await readFile(path)),
  async readTyped(path) {
    const bytes = await readFile(path);
    const { dialect, fields } = schemaOf(bytes);
    const rows = textsOf(bytes).slice(dialect.header ? 1 : 0);
    return rows.map((row) => row.slice(0, fields.length).map((text, i) => typedValue(text, fields[i] as SchemaField)));
  },
};

/** A publication omits remarks and rows with too many values, and pads short rows. */
export const publicationSystem: CsvSystem = {
  ...taprootSystem,
  name: 'rows that a publication of Taproot loads',
  async readTexts(path) {
    const table = readCsvTable(await readFile(path), WHOLE);
    if (table === 'more') throw new Error('readCsvTable requested more bytes of a whole file');
    const { rows } = readTableRows(table, WHOLE);
    return table.dialect.header ? [table.columns.map(({ title, name }) => title ?? name), ...rows] : rows;
  },
};

function schemaOf(bytes: Uint8Array): DataSchema {
  const head = checkHead(bytes, WHOLE);
  if (head === 'more') throw new Error('checkHead requested more bytes of a whole file');
  return head.sampleRows.length === 0 ? head.schema : inferSchema(bytes, WHOLE).schema;
}

function kindOfField({ type, unit }: SchemaField): ValueKind {
  return unit === undefined ? KINDS[type] : 'amount';
}

function textsOf(bytes: Uint8Array): string[][] {
  const { dialect } = schemaOf(bytes);
  return [...parseCsvRecords(readText(bytes, WHOLE).text, dialect, WHOLE)].map(({ values }) => values);
}

function typedValue(text: string, { type, nullable, nullTokens = [], ...shape }: SchemaField): TypedValue {
  const value = text.trim();
  if (nullable && (value === '' || nullTokens.includes(value.toLowerCase()))) return null;
  if (type === 'String') return { kind: 'text', text };
  const read = columnTypes[type].reader({ type, ...shape })?.(value);
  if (read === undefined) throw new Error(`${text} is not ${columnTypes[type].describe({ type, ...shape })}`);
  return { kind: KINDS[type], text: read };
}
