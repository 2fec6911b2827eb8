import type { DataSchema, Dialect, SchemaField } from '../../../src/csv/model/data-schema.js';
import { CsvRowStream } from '../../../src/csv/stream-rows.js';

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
}

/** Result of each row of a file that is read in these chunks. */
export function readStreamedRows(schema: DataSchema, pieces: readonly Uint8Array[]): StreamedRow[] {
  const rows: StreamedRow[] = [];
  const file = new CsvRowStream(schema, {
    accept: (row, values) => rows.push({ row, values: [...values] }),
    reject: (row, reason, record) => rows.push({ row, reason, record }),
  });
  for (const piece of pieces) file.read(Buffer.from(piece));
  file.end();
  return rows;
}

/** Splits bytes into chunks of `size` bytes. */
export function splitBytes(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
