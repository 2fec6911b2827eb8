import type { DataSchema, Dialect, SchemaField } from '../../../src/csv/model/data-schema.js';
import type { PlainRowSink } from '../../../src/csv/plain/plain-row-reader.js';
import { CsvRowStream, type RowSink } from '../../../src/csv/stream-rows.js';

export function aSchema(
  fields: readonly (string | Partial<SchemaField>)[],
  dialect: Partial<Dialect> = {},
): DataSchema {
  return {
    dialect: {
      ...{ encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', skipLines: 0, header: false, comment: null },
      ...dialect,
    },
    fields: fields.map((field, at) => ({
      ...{ name: `c${at + 1}`, type: 'String', nullable: false },
      ...(typeof field === 'string' ? { name: field } : field),
    })),
  };
}

export interface StreamedRow {
  readonly row: number;
  readonly values?: readonly (string | null)[];
  readonly reason?: string;
  readonly record?: string;
  /** Set if the reader passed the row to the plain sink. */
  readonly isPlain?: true;
}

const SEPARATOR = '\x1f';

export function readStreamedRows(
  schema: DataSchema,
  pieces: readonly Uint8Array[],
  { readsPlainRows = false } = {},
): StreamedRow[] {
  const rows: StreamedRow[] = [];
  const sink: RowSink = {
    accept: (row, values) => rows.push({ row, values: [...values] }),
    reject: (row, reason, record) => rows.push({ row, reason, record }),
  };
  const plainSink: PlainRowSink = {
    separator: SEPARATOR.charCodeAt(0),
    fits: () => true,
    accept(row, line, length) {
      const values = line.toString('utf8', 0, length).split(SEPARATOR);
      rows.push({ row, values: values.map((value) => (value === '' ? null : value)), isPlain: true });
    },
  };
  const file = new CsvRowStream(schema, sink, readsPlainRows ? plainSink : undefined);
  for (const piece of pieces) file.read(Buffer.from(piece));
  file.end();
  return rows;
}

export function splitBytes(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
