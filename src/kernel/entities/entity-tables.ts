import type { EntityClass, EntityMetadata, EntityProperty, MetadataStorage } from '@mikro-orm/core';
import type { EntityTable } from './entity-table.js';
import { columnDecoder, partialDecoders, rowDecoders, type SelectedColumn } from './row-decoders.js';

/** The tables of all entities, with all columns or only the columns that one operation uses. */
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
  const selectedColumns = (wanted: (name: string) => boolean): SelectedColumn[] =>
    properties.flatMap((property) => {
      const name = property.name as string;
      return wanted(name) ? [{ name, column: columns.get(name) as string, ...columnDecoder(property) }] : [];
    });
  const all = selectedColumns(() => true);
  return {
    name: entity.tableName,
    orderBy: order.length
      ? `order by ${order.map(([property, direction]) => `"${columns.get(property)}" ${direction}`).join(', ')}`
      : '',
    columns,
    tenantColumn: columns.get('tenantId'),
    ...selection(entity.tableName, all),
    ...rowDecoders(all),
    only(wanted, report) {
      const own = selectedColumns((name) => wanted.has(name));
      const others = [...columns.keys()].filter((name) => !wanted.has(name));
      return { ...this, ...selection(entity.tableName, own), ...partialDecoders(own, others, report) };
    },
  };
}

function selection(
  table: string,
  columns: readonly SelectedColumn[],
): Pick<EntityTable, 'names' | 'select' | 'arrays'> {
  const quoted = columns.map(({ column }) => `"${column}"`);
  const arrays = columns.map(({ inJson }, i) => `json_agg(${quoted[i]}${inJson ? '' : '::text'})`);
  return {
    names: columns.map(({ name }) => name),
    select: `select ${quoted.join(', ')} from "${table}"`,
    arrays: columns.some(({ decode }) => decode === JSON.parse) ? undefined : arrays.join(', '),
  };
}

/** A relation within a workspace has two columns: `tenant_id` and its own column, which the function returns. */
function ownColumnOf({ fieldNames = [], ownColumns = fieldNames }: EntityProperty): string | undefined {
  return ownColumns.length === 1 ? ownColumns[0] : undefined;
}
