import { buildSchema, type GraphQLObjectType, getOperationAST, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostCheck } from '../../../src/http/graphql/operation-cost.js';

const schema = buildSchema(`
  type Item {
    name: String
    owner: Item
    part: Part
    children(limit: Int): [Item!]!
    others(limit: Int): [Other!]!
    history(limit: Int): [Other!]!
    tags(limit: Int): [String!]!
  }
  type Other { item: Item, items(limit: Int): [Item!]! }
  type Part { lines: [Line!]! }
  type Line { items: [Item!]! }
  type Page { items: [Item!]!, total: Int }
  type Query { items(limit: Int! = 50): Page!, list(limit: Int): [Item!]!, item: Item }
  type Mutation { create: Item }
  type Subscription { changed: Item }
`);
for (const name of ['Item', 'Other']) (schema.getType(name) as GraphQLObjectType).extensions = { isRow: true };
const history = (schema.getType('Item') as GraphQLObjectType).getFields().history as { extensions: object };
history.extensions = { defaultItems: 1_000 };

/** Returns undefined if the cost is allowed. The error message contains the cost and the most expensive field. */
function faultOf(text: string, variables = {}): string | undefined {
  const document = parse(text);
  try {
    createCostCheck(schema, document, getOperationAST(document) as OperationDefinitionNode)(variables);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Nests the selection in lists with 250³ objects, because the check reports only costs that exceed the limit. */
function costOf(selection: string, variables: { definition?: string; values?: object } = {}): number {
  const wrapped = `query ${variables.definition ?? ''} { list(limit: 250) { others(limit: 250) { items(limit: 250) { ${selection} } } } }`;
  const [, total = ''] = /may return ([\d,]+) objects/.exec(faultOf(wrapped, variables.values) ?? '') ?? [];
  const around = 250 + 250 ** 2 + 250 ** 3;
  return (Number(total.replaceAll(',', '')) - around) / 250 ** 3;
}

describe('the cost of an operation', () => {
  it('is limited to 500,000 objects, and the error names the field with the most objects', () => {
    expect(faultOf('{ list(limit: 250) { others(limit: 249) { items(limit: 7) { name } } } }')).toBeUndefined();
    expect(faultOf('{ a: items(limit: 250) { items { x: others(limit: 250) { items(limit: 8) { name } } } } }')).toBe(
      'The query may return 562,750 objects, but the maximum is 500,000. Most of these objects are in a.items.x.items. ' +
        'Set a smaller `limit` on this field or on the lists that contain it, or send several requests.',
    );
  });

  it.each([
    ['fields without objects', 'name tags(limit: 250)', 0],
    ['an object', 'owner { name }', 1],
    ['nested objects', 'owner { owner { name } }', 2],
    ['parts of a row, with the rows in them', 'part { lines { items { name } } }', 25],
    ['nested pages, which multiply', 'others(limit: 20) { items(limit: 10) { name } }', 220],
    ['a list without `limit`', 'others { item { name } }', 10],
    ['a list with `limit: null`', 'others(limit: null) { item { name } }', 10],
    ['a list with a default size, up to 50', 'history { item { name } }', 100],
    ['a tree', 'children { children { children { name } } }', 3],
    ['a page of a tree', 'children(limit: 7) { name }', 7],
    ['aliases', 'a: others(limit: 3) { item { name } } b: others(limit: 4) { item { name } }', 14],
    ['a field twice, once', 'others(limit: 3) { item { name } } others(limit: 3) { item { owner { name } } }', 9],
    ['inline fragments', '... on Item { owner { name } ... { others(limit: 3) { item { name } } } }', 7],
    ['a literal that excludes the field', 'owner @include(if: false) { name } x: owner @skip(if: true) { name }', 0],
    ['a literal that includes the field', 'owner @include(if: true) { name } x: owner @skip(if: false) { name }', 2],
    ['a limit below zero, which is rejected later', 'others(limit: -5) { item { name } }', 0],
    ['a limit beyond a page, which is rejected later', 'others(limit: 1000) { name: __typename }', 250],
  ])('counts %s', (_, selection, cost) => {
    expect(costOf(selection)).toBe(cost);
  });

  it('counts fragments at each spread', () => {
    const fragment = 'fragment F on Item { history(limit: 250) { items(limit: 250) { name } } }';
    expect(faultOf(`{ list(limit: 7) { ...F } } ${fragment}`)).toBeUndefined();
    expect(faultOf(`{ list(limit: 7) { owner { ...F } ...F } } ${fragment}`)).toMatch(/ 878,514 objects/);
  });

  it('counts introspection as nothing', () => {
    expect(costOf('__typename')).toBe(0);
  });

  it.each([
    ['a variable', '($n: Int)', { n: 20 }, 20],
    ['a variable that is null', '($n: Int)', { n: null }, 5],
    ['a variable that is missing', '($n: Int)', {}, 5],
    ['the default of a variable', '($n: Int = 30)', {}, 30],
    ['a variable with a default', '($n: Int = 30)', { n: 20 }, 20],
    ['null in place of the default of a variable', '($n: Int = 30)', { n: null }, 5],
  ])('takes page sizes from %s', (_, definition, values, cost) => {
    expect(costOf('others(limit: $n) { name: __typename }', { definition, values })).toBe(cost);
  });

  it('takes the default page size of a field for a variable that is missing', () => {
    const query = 'query ($n: Int) { items(limit: $n) { items { others(limit: 250) { items(limit: 39) { name } } } } }';
    expect(faultOf(query)).toMatch(/^The query may return 500,050 objects/);
    expect(faultOf(query, { n: 49 })).toBeUndefined();
  });

  it('counts a field with @include or @skip only if its variables select it', () => {
    const definition = '($yes: Boolean!, $no: Boolean = false)';
    const selection = `a: owner @include(if: $yes) { name } b: owner @skip(if: $no) { name }
      c: owner @include(if: $no) { name } ... @include(if: $no) { d: owner { name } }`;
    expect(costOf(selection, { definition, values: { yes: true } })).toBe(2);
    expect(costOf(selection, { definition, values: { yes: false, no: true } })).toBe(2);
    expect(costOf(selection, { definition, values: { yes: false } })).toBe(1);
  });

  it.each(['mutation { create', 'subscription { changed'])('is limited for %s', (start) => {
    const below = '{ others(limit: 250) { items(limit: 250) { others(limit: 9) { item { name } } } } }';
    expect(faultOf(`${start} ${below} }`)).toMatch(/^The (mutation|subscription) may return 1,187,751 objects/);
  });
});
