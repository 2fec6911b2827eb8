import type { EntityClass, EntityMetadata, EntityProperty, MetadataStorage } from '@mikro-orm/core';
import { encodeId, IdColumn } from '../ids.js';

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
}

export class EntityTables {
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
  const list = [...columns.values()].map((column) => `"${column}"`).join(', ');
  const order = ([entity.orderBy ?? []].flat() as Record<string, string>[])
    .flatMap(Object.entries)
    .map(([property, direction]) => `"${columns.get(property)}" ${direction}`);
  return {
    name: entity.tableName,
    select: `select ${list} from "${entity.tableName}"`,
    orderBy: order.length ? `order by ${order.join(', ')}` : '',
    columns,
    tenantColumn: columns.get('tenantId'),
    decode: rowDecoder([...columns.keys()], properties.map(columnDecoder)),
  };
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
function rowDecoder(names: string[], decoders: (Decode | undefined)[]): EntityTable['decode'] {
  const fields = names.map((name, i) => {
    const value = decoders[i] ? `values[${i}] === null ? null : decoders[${i}](values[${i}])` : `values[${i}]`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  return new Function('decoders', `return (values) => ({ ${fields.join(', ')} });`)(decoders);
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
