import type { EntityProperty } from '@mikro-orm/core';
import { encodeId, IdColumn } from '../ids.js';
import type { EntityRow, EntityTable } from './entity-table.js';
import { defineJsonColumn, keepValues } from './json-text.js';

type Decode = (text: string) => unknown;

interface ColumnDecoder {
  /** Decodes a value in PostgreSQL's text format. Undefined if the text needs no decoding. */
  readonly decode?: Decode;
  /**
   * Form of the value in the result of `json_agg`: the decoded value, or the text that `decode` expects. If undefined,
   * the statement casts the column to text.
   */
  readonly inJson?: 'value' | 'text';
}

export interface SelectedColumn extends ColumnDecoder {
  readonly name: string;
  readonly column: string;
}

type Decoders = Pick<EntityTable, 'decode' | 'decodeAt'>;

/**
 * Compiles an object literal. V8 creates the literal several times faster than an object that receives its properties
 * one by one. The compiled code contains only entity metadata.
 */
export function rowDecoders(columns: readonly SelectedColumn[]): Decoders {
  const compile = (parameters: string, valueAt: (i: number) => string) => {
    const fields = columns.map(({ name }, i) => `${JSON.stringify(name)}: ${valueAt(i)}`);
    const body = `return (${parameters}) => ({ ${fields.join(', ')} });`;
    return new Function('decoders', body)(columns.map(({ decode }) => decode));
  };
  return {
    decode: compile('values', (i) => decodedValue(columns, i)),
    decodeAt: compile('arrays, at', (i) => decodedItem(columns, i)),
  };
}

/**
 * Decodes rows that lack some columns. A class defines the getters once for all rows. The getter of a JSON column
 * parses the value when code reads it.
 */
export function partialDecoders(
  columns: readonly SelectedColumn[],
  others: readonly string[],
  report: (property: string) => void,
): Decoders {
  const isJson = (i: number): boolean => columns[i]?.decode === JSON.parse;
  const compile = (parameters: string, valueAt: (i: number) => string, keeps: boolean) => {
    const fields = columns.map(({ name }, i) => (isJson(i) ? '' : `this[${JSON.stringify(name)}] = ${valueAt(i)};`));
    if (keeps) fields.push('keepValues(this, values);');
    const body = `return class Row { constructor(${parameters}) { ${fields.join(' ')} } };`;
    const decoders = columns.map(({ decode }) => decode);
    const Row = new Function('decoders', 'keepValues', body)(decoders, keepValues) as new (
      ...source: unknown[]
    ) => EntityRow;
    for (const [i, { name }] of columns.entries()) if (isJson(i)) defineJsonColumn(Row.prototype, name, i);
    for (const name of others) Object.defineProperty(Row.prototype, name, { get: () => report(name) });
    return Row;
  };
  const hasJson = columns.some((_, i) => isJson(i));
  const Row = compile('values', (i) => decodedValue(columns, i), hasJson);
  const RowAt = compile('arrays, at', (i) => decodedItem(columns, i), false);
  return { decode: (values) => new Row(values), decodeAt: (arrays, at) => new RowAt(arrays, at) };
}

function decodedValue(columns: readonly SelectedColumn[], i: number): string {
  return columns[i]?.decode ? `values[${i}] === null ? null : decoders[${i}](values[${i}])` : `values[${i}]`;
}

/** In a JSON array, `JSON.parse` has already decoded numbers and booleans. */
function decodedItem(columns: readonly SelectedColumn[], i: number): string {
  const { decode, inJson } = columns[i] as SelectedColumn;
  const item = `arrays[${i}][at]`;
  return decode && inJson !== 'value' ? `${item} === null ? null : decoders[${i}](${item})` : item;
}

export function columnDecoder(property: EntityProperty): ColumnDecoder {
  const [column] = property.columnTypes;
  if (property.customType instanceof IdColumn || property.kind === 'm:1') return { decode: encodeId, inJson: 'text' };
  if (column === 'json' || column === 'jsonb') return { decode: JSON.parse };
  if (column?.startsWith('int') || column === 'bigint') return { decode: Number, inJson: 'value' };
  if (column?.startsWith('bool')) return { decode: (text) => text === 't', inJson: 'value' };
  if (column?.startsWith('timestamptz')) return { decode: isoTime };
  return column === 'text' ? { inJson: 'text' } : {}; // Text columns need no decoding.
}

/**
 * Rearranges the text `2026-01-31 12:00:00.123+00`, because parsing a date is slower. Parses other forms, such as times
 * without milliseconds.
 */
function isoTime(text: string): string {
  const isPlain = text.length === 26 && text.endsWith('+00');
  return isPlain ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z` : new Date(text).toISOString();
}
