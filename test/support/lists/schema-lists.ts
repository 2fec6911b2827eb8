import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';

const schema = buildSchema(readFileSync(join(PROJECT_ROOT, 'schema', 'schema.graphql'), 'utf8'));

type Field = GraphQLField<unknown, unknown>;
export type FilterKind = 'ids' | 'values' | 'text' | 'flag' | 'time';

/** A field that returns a list and has arguments, on Query or on another object type. */
export interface SchemaList {
  /** Name of the type that has the field. */
  readonly on: string;
  readonly name: string;
  /** Type of the items. */
  readonly of: GraphQLObjectType;
  /** Name of the field with the items. Undefined if the root field returns a list instead of a page. */
  readonly items: string | undefined;
  /** Name of the field with the total, in the page or next to the list. */
  readonly total: string;
  readonly filterType: string | undefined;
  readonly orderType: string | undefined;
  readonly filters: Readonly<Record<string, FilterKind>>;
  readonly orders: readonly string[];
}

const objectTypes = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
);

export const rootLists: readonly SchemaList[] = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(
  (field) => {
    const items = isListOfObjects(field) ? undefined : itemsOf(field);
    const listed = items ?? (isListOfObjects(field) ? field : undefined);
    return listed && argumentOf(field, 'limit') ? [describeList('Query', field, listed, items?.name)] : [];
  },
);

/** Lists with the argument `limit`, of all types except Query. */
export const nestedLists: readonly SchemaList[] = objectTypes
  .filter((type) => type !== schema.getQueryType())
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => isListOfObjects(field) && argumentOf(field, 'limit'))
      .map((field) => describeList(type.name, field, field)),
  );

/** Selects, as `alias`, the field that a filter or an order compares. Undefined if the type has no such field. */
export function selectionOfProperty(type: GraphQLObjectType, name: string, alias: string): string | undefined {
  const fields = type.getFields();
  if (fields[name]) return `${alias}: ${name}`;
  const relation = fields[name.replace(/Id$/, '')];
  return relation && isObjectType(getNamedType(relation.type)) ? `${alias}: ${relation.name} { id }` : undefined;
}

function describeList(on: string, { name, args }: Field, listed: Field, items?: string): SchemaList {
  const siblings = (schema.getType(on) as GraphQLObjectType).getFields();
  const filter = getNamedType(args.find((one) => one.name === 'filter')?.type);
  const orderBy = getNamedType(args.find((one) => one.name === 'orderBy')?.type);
  const filters = isInputObjectType(filter) ? Object.values(filter.getFields()) : [];
  return {
    ...{ on, name, items, of: getNamedType(listed.type) as GraphQLObjectType },
    total: items ? 'total' : ([`${name}Total`, `${name}Count`].find((one) => siblings[one]) as string),
    ...{ filterType: filter?.name, orderType: orderBy?.name },
    filters: Object.fromEntries(filters.map((one) => [one.name, kindOf(one)])),
    orders: isEnumType(orderBy) ? orderBy.getValues().map((value) => value.name) : [],
  };
}

function kindOf({ type }: Pick<GraphQLArgument, 'type'>): FilterKind {
  const { name } = getNamedType(type);
  if (isListType(type)) return name === 'Base62Id' ? 'ids' : 'values';
  return name === 'Boolean' ? 'flag' : name === 'TimeRange' ? 'time' : 'text';
}

function argumentOf({ args }: Field, name: string): GraphQLArgument | undefined {
  return args.find((one) => one.name === name);
}

function itemsOf({ type }: Field): Field | undefined {
  const page = getNamedType(type);
  const fields = isObjectType(page) ? page.getFields() : {};
  return fields.total && (fields.items ?? fields.results);
}

function isListOfObjects({ type }: Field): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type) && isObjectType(getNamedType(type));
}
