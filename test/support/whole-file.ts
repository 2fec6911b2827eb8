import type { DataSchema, Dialect, SchemaField } from '../../src/csv/data-schema.js';
import { WholeFile } from '../../src/csv/whole-file.js';

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

export interface ReadRow {
  readonly row: number;
  readonly values?: readonly (string | null)[];
  readonly reason?: string;
  readonly record?: string;
}

/** What becomes of each row of a file whose bytes come in these pieces. */
export function readWhole(schema: DataSchema, pieces: readonly Uint8Array[]): ReadRow[] {
  const rows: ReadRow[] = [];
  const file = new WholeFile(schema, {
    take: (row, values) => rows.push({ row, values: [...values] }),
    refuse: (row, reason, record) => rows.push({ row, reason, record }),
  });
  for (const piece of pieces) file.read(Buffer.from(piece));
  file.end();
  return rows;
}

/** Pieces of so many bytes. */
export function piecesOf(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
