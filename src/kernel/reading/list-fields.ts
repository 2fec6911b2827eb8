import { type MetadataStorage, ReferenceKind } from '@mikro-orm/core';
import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  getNamedType,
} from 'graphql';
import type { EntityRow } from '../entities/entity-table.js';
import type { ListEdge } from '../entities/list-edge.js';
import { isFieldSelected } from './is-field-selected.js';
import { checkPage, ListArguments, PAGE_ARGUMENTS } from './list-arguments.js';
import { readList, readListPage, readListTotal } from './list-reader.js';
import { isWholeList, type ListSelection } from './list-selection.js';
import { listedEntityOf } from './paging.js';
import { whenKnown } from './pending.js';
import { addPlan, type EntityField, fieldsOf, newEdgeField, objectTypeOf } from './schema-fields.js';

/**
 * Adds the declared lists to a schema. Adds paging, filter, order and total to each list, and filter and order to each
 * root field that lists rows. Returns a schema that contains the types of the new arguments.
 */
export function addListFields(
  schema: GraphQLSchema,
  metadata: MetadataStorage,
  declared: readonly ListEdge[],
): GraphQLSchema {
  const known = new Map<string, ListArguments>();
  const argumentsOf = (entity: string): ListArguments => {
    const found = known.get(entity) ?? new ListArguments(schema, metadata.getByClassName(entity as never));
    known.set(entity, found);
    return found;
  };
  for (const edge of allLists(schema, metadata, declared)) addListEdge(schema, edge, argumentsOf(edge.of.name));
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {}) as EntityField[]) {
    const entity = listedEntityOf(field);
    if (entity) addRootArguments(field, argumentsOf(entity.name));
  }
  return new GraphQLSchema(schema.toConfig());
}

/** Returns the declared lists, and the relations that are GraphQL lists. */
export function allLists(
  schema: GraphQLSchema,
  metadata: MetadataStorage,
  declared: readonly ListEdge[],
): readonly ListEdge[] {
  const names = new Set(declared.map(({ on, name }) => `${on.name}.${name}`));
  const ofRelations = [...metadata.getAll().values()].flatMap((entity) =>
    entity.relations.flatMap(({ name, kind, mappedBy, targetMeta }): ListEdge[] => {
      const isListed = kind === ReferenceKind.ONE_TO_MANY && targetMeta && fieldsOf(schema, entity.className)?.[name];
      if (!isListed || names.has(`${entity.className}.${name}`)) return [];
      return [{ on: entity.class as never, name, of: targetMeta.class as never, by: mappedBy as string }];
    }),
  );
  return [...declared, ...ofRelations];
}

function addListEdge(schema: GraphQLSchema, edge: ListEdge, list: ListArguments): void {
  const fields = objectTypeOf(schema, edge.on.name).getFields() as Record<string, EntityField>;
  const field = (fields[edge.name] ??= newEdgeField({ ...edge, type: listOf(objectTypeOf(schema, edge.of.name)) }));
  const { resolve = (row, _args, { read }) => presented(edge, row, readList(read, edge, row)) } = field;
  const { of, by, match, where, most, present } = edge;
  const isPlain = !field.resolve && !match && !where && !most && !present;
  if (isPlain && by) addPlan(field, { kind: 'list', of, by });
  if (edge.most) field.extensions = { ...field.extensions, defaultItems: edge.most };
  field.args = toArguments({ ...PAGE_ARGUMENTS, ...list.filterAndOrder });
  field.resolve = (row, args, context, info) => {
    checkPage(args);
    const { limit, offset } = args;
    const selection = selectionOf(list, args);
    if (isWholeList({ limit, offset, selection })) return resolve(row, {}, context, info);
    const page = { ...selection, limit: limit ?? undefined, offset };
    return presented(edge, row, readListPage(context.read, edge, row, page));
  };
  const total = `${edge.name}Total`;
  fields[total] = newEdgeField({
    ...{ name: total, type: new GraphQLNonNull(GraphQLInt), access: field.extensions.access },
    description: `Number of items of \`${edge.name}\`, on all pages.`,
    args: toArguments(list.filter),
    resolve: (row, args, { read }) => readListTotal(read, edge, row, selectionOf(list, args)),
  });
}

function selectionOf(list: ListArguments, args: Record<string, unknown>): ListSelection {
  return { conditions: list.conditionsOf(args), order: list.orderOf(args), counts: true };
}

/** The resolver receives the selection as the argument `list` (see `SelectedList`). */
function addRootArguments(field: EntityField, list: ListArguments): void {
  const { resolve } = field;
  const isCounted = getNamedType(field.type) === GraphQLInt;
  field.args = [...field.args, ...toArguments(isCounted ? list.filter : list.filterAndOrder)];
  field.resolve = (source, args, context, info) => {
    const selection = { ...selectionOf(list, args), counts: isFieldSelected(info, 'total') };
    return resolve?.(source, { ...args, list: selection }, context, info);
  };
}

function presented(
  { present }: ListEdge,
  object: EntityRow,
  rows: ReturnType<typeof readList>,
): ReturnType<typeof readList> {
  if (!present) return rows;
  const show = (found: EntityRow[]) => found.map((row) => present(row, object) as EntityRow);
  return whenKnown(rows, show);
}

function listOf(type: GraphQLObjectType): GraphQLOutputType {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
}

function toArguments(config: GraphQLFieldConfigArgumentMap): EntityField['args'] {
  return Object.entries(config).map(([name, { type, description, defaultValue }]) => ({
    ...{ name, type, description, defaultValue },
    ...{ deprecationReason: undefined, extensions: {}, astNode: undefined },
  }));
}
