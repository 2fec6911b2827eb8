import type { EntityClass, EntityMetadata, EntityProperty, MetadataStorage } from '@mikro-orm/core';
import { encodeId, IdColumn } from '../ids.js';
import { defineJsonColumn, keepValues } from './json-text.js';

export type EntityRow = Record<string, unknown>;
type Decode = (text: string) => unknown;

/** SQL fragments and row decoder of a table, derived once from the entity metadata. */
export interface EntityTable {
  readonly name: string;
  readonly select: string;
  readonly orderBy: string;
  readonly columns: ReadonlyMap<string, string>;
  /** Column of the workspace that a row belongs to; undefined for tables shared by all workspaces. */
  readonly tenantColumn: string | undefined;
  readonly decode: (values: (string | null)[]) => EntityRow;
  /**
   * The same table with some of its columns. Rows report reads of other columns, which are undefined.
   */
  readonly only: (properties: ReadonlySet<string>, report: (property: string) => void) => EntityTable;
}

/** The tables of all entities, or of one operation with the columns that it uses. */
export interface Tables {
  of(entity: EntityClass<object>): EntityTable;
}

export class EntityTables implements Tables {
  readonly #tables = new Map<string, EntityTable>();

  constructor(metadata: MetadataStorage) {
    for (const entity of metadata.getAll().values()) {
      if (!entity.abstract) this.#tables.set(entity.className, describeTable(entity));
    }
  }

  of(entity: EntityClass<object>): EntityTable {
    return this.#tables.get(entity.name) as EntityTable;
  }
}

function describeTable(entity: EntityMetadata): EntityTable {
  const properties = entity.props.filter((property) => ownColumnOf(property) && property.persist !== false);
  const columns = new Map(properties.map((property) => [property.name as string, ownColumnOf(property) as string]));
  const order = ([entity.orderBy ?? []].flat() as Record<string, string>[]).flatMap(Object.entries);
  const selectOf = (names: readonly string[]): string =>
    `select ${names.map((name) => `"${columns.get(name)}"`).join(', ')} from "${entity.tableName}"`;
  const decoderOf = (names: readonly string[]): (Decode | undefined)[] =>
    properties.filter(({ name }) => names.includes(name)).map(columnDecoder);
  const all = [...columns.keys()];
  const table: EntityTable = {
    name: entity.tableName,
    select: selectOf(all),
    orderBy: order.length
      ? `order by ${order.map(([property, direction]) => `"${columns.get(property)}" ${direction}`).join(', ')}`
      : '',
    columns,
    tenantColumn: columns.get('tenantId'),
    decode: rowDecoder(all, decoderOf(all)),
    only: (wanted, report) => {
      const names = all.filter((name) => wanted.has(name));
      const others = all.filter((name) => !names.includes(name));
      return { ...table, select: selectOf(names), decode: partialDecoder(names, decoderOf(names), others, report) };
    },
  };
  return table;
}

/**
 * A relation within a workspace has two columns: `tenant_id`, shared with the row, and its own. Returns its own column.
 */
function ownColumnOf({ fieldNames = [], ownColumns = fieldNames }: EntityProperty): string | undefined {
  return ownColumns.length === 1 ? ownColumns[0] : undefined;
}

/**
 * Compiles an object literal, because V8 creates it several times faster than an object that grows by key. The source
 * contains only entity metadata.
 */
function rowDecoder(names: readonly string[], decoders: (Decode | undefined)[]): EntityTable['decode'] {
  const fields = names.map((name, i) => `${JSON.stringify(name)}: ${decodedValue(decoders, i)}`);
  return new Function('decoders', `return (values) => ({ ${fields.join(', ')} });`)(decoders);
}

/** Getters of a class cost nothing per row. JSON columns are parsed when they are read. */
function partialDecoder(
  names: readonly string[],
  decoders: (Decode | undefined)[],
  others: readonly string[],
  report: (property: string) => void,
): EntityTable['decode'] {
  const isJson = (i: number): boolean => decoders[i] === JSON.parse;
  const fields = names.map((name, i) =>
    isJson(i) ? '' : `this[${JSON.stringify(name)}] = ${decodedValue(decoders, i)};`,
  );
  if (decoders.some((_, i) => isJson(i))) fields.push('keepValues(this, values);');
  const body = `return class Row { constructor(values) { ${fields.join(' ')} } };`;
  const Row = new Function('decoders', 'keepValues', body)(decoders, keepValues) as new (
    values: (string | null)[],
  ) => EntityRow;
  for (const [i, name] of names.entries()) if (isJson(i)) defineJsonColumn(Row.prototype, name, i);
  for (const name of others) Object.defineProperty(Row.prototype, name, { get: () => report(name) });
  return (values) => new Row(values);
}

function decodedValue(decoders: (Decode | undefined)[], i: number): string {
  return decoders[i] ? `values[${i}] === null ? null : decoders[${i}](values[${i}])` : `values[${i}]`;
}

function columnDecoder(property: EntityProperty): Decode | undefined {
  const [column] = property.columnTypes;
  if (property.customType instanceof IdColumn || property.kind === 'm:1') return encodeId;
  if (column === 'json') return JSON.parse;
  if (column?.startsWith('int') || column === 'bigint') return Number;
  if (column?.startsWith('bool')) return (text) => text === 't';
  if (column?.startsWith('timestamptz')) return isoTime;
  return undefined; // text needs no decoding
}

/**
 * Fast path for `2026-01-31 12:00:00.123+00` without parsing a date. Other forms, such as one without milliseconds, are
 * parsed.
 */
function isoTime(text: string): string {
  const isPlain = text.length === 26 && text.endsWith('+00');
  return isPlain ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z` : new Date(text).toISOString();
}
