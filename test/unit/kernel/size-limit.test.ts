import { buildSchema, getIntrospectionQuery, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { sizeLimit } from '../../../src/http/graphql/size-limit.js';

const schema = buildSchema('type Query { a: Query, leaf: Int }');
const faultsOf = (query: string) => validate(schema, parse(query), [sizeLimit]).map(({ message }) => message);

describe('the size limit', () => {
  it('accepts at most 1,000 fields and 20 aliases', () => {
    const aliases = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: leaf`).join(' ');
    expect(faultsOf(`{ ${'leaf '.repeat(980)} ${aliases(20)} }`)).toEqual([]);
    expect(faultsOf(`{ ${'leaf '.repeat(1_001)} }`)).toEqual([
      'The operation selects more than 1000 fields and fragments.',
    ]);
    expect(faultsOf(`{ ${aliases(21)} }`)).toEqual(['The operation has more than 20 aliases.']);
  });

  it('counts the fields of a fragment at each spread', () => {
    const doubling = Array.from(
      { length: 12 },
      (_, i) => `fragment F${i} on Query { a { ...F${i + 1} } b: a { ...F${i + 1} } }`,
    );
    const faults = faultsOf(`{ ...F0 } ${doubling.join(' ')} fragment F12 on Query { leaf }`);
    expect(faults).toHaveLength(2);
  });

  it('counts introspection, and accepts the introspection query of tools', () => {
    expect(faultsOf(getIntrospectionQuery())).toEqual([]);
    expect(faultsOf(`{ __schema { ${'types { name } '.repeat(600)} } }`)).toHaveLength(1);
  });

  it('terminates for cyclic fragments', () => {
    expect(faultsOf('{ ...F } fragment F on Query { a { ...G } } fragment G on Query { a { ...F } }')).toEqual([]);
  });
});
