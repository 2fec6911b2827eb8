import { buildSchema, getIntrospectionQuery, parse, type ValidationContext, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { depthLimit } from '../../../src/http/graphql/depth-limit.js';

const schema = buildSchema('type Query { a: Query, b: Query, leaf: Int }');

describe('the depth limit', () => {
  it('accepts 20 levels and rejects 21', () => {
    expect(faultsOf(`{ ${levels(20)} }`)).toEqual([]);
    expect(faultsOf(`{ ${levels(21)} }`)).toEqual(['The operation nests fields more than 20 levels deep.']);
  });

  it('applies to the deepest branch in any position', () => {
    expect(faultsOf(`{ leaf b { leaf } ${levels(21)} other: a { leaf } }`)).toHaveLength(1);
    expect(faultsOf(`{ ${levels(20)} b { ${levels(19)} } leaf }`)).toEqual([]);
  });

  it.each([
    ['a fragment', (inner: string) => `{ a { ...F } } fragment F on Query { ${inner} }`],
    ['a fragment in a fragment', (inner: string) => `{ a { ...F } } ${fragments('F', 'G')} ${fragment('G', inner)}`],
    ['a fragment defined before the operation', (inner: string) => `${fragment('F', inner)} query { a { ...F } }`],
    ['an inline fragment', (inner: string) => `{ a { ... on Query { ... { ${inner} } } } }`],
    [
      'a fragment spread twice, first at a shallow level',
      (inner: string) => `{ ...F a { ...F } } ${fragment('F', inner)}`,
    ],
  ])('counts the levels inside %s, which is not a level itself', (_, questionWith) => {
    expect(faultsOf(questionWith(levels(19)))).toEqual([]);
    expect(faultsOf(questionWith(levels(20)))).toHaveLength(1);
  });

  it('checks each operation of a document separately', () => {
    expect(faultsOf(`query One { ${levels(21)} } query Two { leaf } mutation Three { ${levels(21)} }`)).toHaveLength(2);
  });

  it('ignores a fragment that is not spread', () => {
    expect(faultsOf(`{ leaf } ${fragment('F', levels(30))}`)).toEqual([]);
  });

  it.each([
    ['itself', '{ ...F } fragment F on Query { a { ...F } }'],
    ['another and back', `{ ...F } ${fragments('F', 'G')} ${fragments('G', 'F')}`],
    ['one that does not exist', '{ a { ...None } }'],
  ])('terminates for a fragment that spreads %s', (_, query) => {
    expect(faultsOf(query)).toEqual([]);
  });

  it('visits a fragment only once, even if it is spread several times', () => {
    const names = Array.from({ length: 16 }, (_, index) => `F${index}`);
    const chain = names.slice(1).map((name, index) => fragment(`F${index}`, `...${name} ...${name}`));
    let visits = 0;
    const faults = faultsOf(`{ ...F0 ...F0 } ${chain.join(' ')} ${fragment('F15', 'leaf')}`, () => visits++);
    expect([faults, visits]).toEqual([[], names.length]);
  });

  it('ignores introspection', () => {
    const types = (depth: number): string => (depth ? `ofType { ${types(depth - 1)} }` : 'name');
    expect(faultsOf(getIntrospectionQuery())).toEqual([]);
    expect(faultsOf(`{ __schema { types { ${types(40)} } } __type(name: "Query") { ${types(40)} } }`)).toEqual([]);
    expect(faultsOf(`{ ${levels(20).replace('leaf', 'a { __typename }')} }`)).toEqual([]);
  });

  it('counts a field with an alias that looks like introspection', () => {
    expect(faultsOf(`{ __schema: a { ${levels(20)} } }`)).toHaveLength(1);
  });
});

function levels(count: number): string {
  return count > 1 ? `a { ${levels(count - 1)} }` : 'leaf';
}

function fragment(name: string, inner: string): string {
  return `fragment ${name} on Query { ${inner} }`;
}

function fragments(name: string, other: string): string {
  return fragment(name, `...${other}`);
}

function faultsOf(query: string, onVisit = () => 0): string[] {
  const rule = (context: ValidationContext) => {
    const { getFragment } = context;
    context.getFragment = (name) => {
      onVisit();
      return getFragment.call(context, name);
    };
    return depthLimit(context);
  };
  return validate(schema, parse(query), [rule]).map(({ message }) => message);
}
