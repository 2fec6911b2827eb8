import { type MetadataStorage, ReferenceKind } from '@mikro-orm/core';
import {
  type GraphQLField,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
} from 'graphql';
import type { EntityRow } from '../entities/entity-tables.js';
import type { ListEdge } from '../entities/list-edge.js';
import { isFieldSelected } from './is-field-selected.js';
import { checkPage, ListArguments, PAGE_ARGUMENTS } from './list-arguments.js';
import { readList, readListPage, readListTotal } from './list-reader.js';
import type { ListSelection } from './list-selection.js';
import { listedEntityOf } from './paging.js';
import type { RequestContext } from './request-context.js';

type Field = GraphQLField<EntityRow, RequestContext>;

/**
 * Adds the declared lists, and to each list of the schema its page, filter, order and total. Returns a schema that knows
 * the types of the new arguments.
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
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {}) as Field[]) {
    const entity = listedEntityOf(field);
    if (entity) addRootArguments(field, argumentsOf(entity.name));
  }
  return new GraphQLSchema(schema.toConfig());
}

/** The declared lists, and the relations of entities that are GraphQL lists. */
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
  const fields = fieldsOf(schema, edge.on.name) as Record<string, Field>;
  const field = (fields[edge.name] ??= newListField(schema, edge));
  const { resolve = (row, _args, { read }) => presented(edge, row, readList(read, edge, row)) } = field;
  field.args = toArguments({ ...PAGE_ARGUMENTS, ...list.filterAndOrder });
  field.resolve = (row, args, context, info) => {
    checkPage(args);
    const { limit, offset } = args;
    const selection = selectionOf(list, args);
    const isWhole = !limit && !offset && !selection.order && !selection.conditions.length;
    if (isWhole) return resolve(row, {}, context, info);
    const page = { ...selection, limit: limit ?? undefined, offset };
    return presented(edge, row, readListPage(context.read, edge, row, page));
  };
  fields[`${edge.name}Total`] = {
    ...{ name: `${edge.name}Total`, type: new GraphQLNonNull(GraphQLInt) },
    description: `Number of items of \`${edge.name}\`, on all pages.`,
    args: toArguments(list.filter),
    resolve: (row, args, { read }) => readListTotal(read, edge, row, selectionOf(list, args)),
    ...{ extensions: { ...field.extensions, isEdge: true }, deprecationReason: undefined, astNode: undefined },
  };
}

function selectionOf(list: ListArguments, args: Record<string, unknown>): ListSelection {
  return { conditions: list.conditionsOf(args), order: list.orderOf(args), counts: true };
}

/** The resolver gets the selection as `list`; see `SelectedList`. */
function addRootArguments(field: Field, list: ListArguments): void {
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
  return rows instanceof Promise ? rows.then(show) : show(rows);
}

function newListField(schema: GraphQLSchema, { name, of, description, access }: ListEdge): Field {
  const type = schema.getType(of.name);
  if (!(type instanceof GraphQLObjectType)) throw new Error(`${of.name} is not an object type of the schema`);
  return {
    ...{ name, description, args: [], extensions: { isEdge: true, ...(access && { access }) } },
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type))),
    ...{ deprecationReason: undefined, astNode: undefined },
  } as unknown as Field;
}

function toArguments(config: GraphQLFieldConfigArgumentMap): Field['args'] {
  return Object.entries(config).map(([name, { type, description, defaultValue }]) => ({
    ...{ name, type, description, defaultValue },
    ...{ deprecationReason: undefined, extensions: {}, astNode: undefined },
  }));
}

function fieldsOf(schema: GraphQLSchema, name: string): Record<string, Field> | undefined {
  const type = schema.getType(name);
  return type instanceof GraphQLObjectType ? type.getFields() : undefined;
}
