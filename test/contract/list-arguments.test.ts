import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createOrm } from '../../src/database/orm.js';
import { createSchema } from '../../src/graphql-schema.js';

const metadata = createOrm('postgresql://nowhere/taproot').getMetadata();
const schema = await createSchema(metadata);
const entities = new Set([...metadata.getAll().values()].map(({ className }) => className));

const BY_CURSOR = 'Pages by cursor, which new results do not shift; the lists of `TableContract` have all arguments.';

/** Lists of rows that lack the usual arguments, each with its reason. */
const WITHOUT_ARGUMENTS: Record<string, string> = {
  'Query.platformVendorGroupings':
    'The tree of one vendor definition; `PlatformVendor.groupings` and `allGroupings` have all arguments.',
  'Query.syncTimeline': 'The tap runs of one sync, at most one per tap.',
  'Query.tableQualityHistory': BY_CURSOR,
  'Query.tableSpcHistory': BY_CURSOR,
};

type Field = GraphQLField<unknown, unknown>;

interface RowList {
  readonly name: string;
  readonly args: readonly string[];
  readonly isCounted: boolean;
}

/** Includes pages of rows. Omits lists of values. */
function listsOf(type: GraphQLObjectType): RowList[] {
  const fields = type.getFields();
  return Object.values(fields).flatMap((field): RowList[] => {
    const page = pageOf(field);
    if (!isListOfRows(field) && !page) return [];
    const totals = [`${field.name}Total`, `${field.name}Count`];
    const isCounted = page ? page.getFields().total !== undefined : totals.some((name) => fields[name]);
    return [{ name: `${type.name}.${field.name}`, args: field.args.map(({ name }) => name), isCounted }];
  });
}

/** A page is a type that contains a list of rows and is not an entity. */
function pageOf({ type }: Field): GraphQLObjectType | undefined {
  const page = getNamedType(type);
  if (!isObjectType(page) || entities.has(page.name)) return undefined;
  return Object.values(page.getFields()).some(isListOfRows) ? page : undefined;
}

function isListOfRows({ type }: Field): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type) && entities.has(getNamedType(type).name);
}

const owners = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType =>
    isObjectType(type) && (type === schema.getQueryType() || entities.has(type.name)),
);

describe('lists of rows', () => {
  it('have a limit, an offset, filters, orders and a total, unless they are an exception', () => {
    const lists = owners.flatMap(listsOf);
    const wanted = ['limit', 'offset', 'filter', 'orderBy'];
    const lacking = lists.filter(({ args, isCounted }) => !isCounted || !wanted.every((name) => args.includes(name)));
    expect(lacking.map(({ name }) => name).sort()).toEqual(Object.keys(WITHOUT_ARGUMENTS).sort());
    expect(lists.length).toBeGreaterThan(50);
  });

  it('are fields only of rows and pages', () => {
    const pages = new Set(owners.flatMap((type) => Object.values(type.getFields()).map((field) => pageOf(field))));
    const others = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && !owners.includes(type) && !pages.has(type),
    ) as GraphQLObjectType[];
    const found = others.filter((type) => Object.values(type.getFields()).some(isListOfRows));
    expect(found.map(({ name }) => name)).toEqual([]);
  });
});
