import { setTimeout as sleep } from 'node:timers/promises';
import { buildSchema, execute, type GraphQLObjectType, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { introspectionLimit } from '../../../src/http/graphql/introspection-limit.js';
import { overlapLimit } from '../../../src/http/graphql/overlap-limit.js';
import { rejectThrownErrors } from '../../../src/http/graphql/reject-thrown-errors.js';
import { writeLargeJson } from '../../../src/http/graphql/write-large-json.js';
import { RowPacer } from '../../../src/kernel/reading/row-pacer.js';

describe('resolvers', () => {
  it('reject instead of throwing, so that no item of a list is abandoned', async () => {
    const schema = buildSchema('type Query { items: [Item!]! } type Item { name: String! }');
    const { name } = (schema.getType('Item') as GraphQLObjectType).getFields();
    let abandoned = 0;
    const count = (): number => abandoned++;
    process.on('unhandledRejection', count);
    Object.assign(name as object, {
      resolve: (isLate: boolean) => {
        if (!isLate) throw new Error('at once');
        return sleep(5).then(() => Promise.reject(new Error('late')));
      },
    });
    rejectThrownErrors(schema);
    const rootValue = { items: [true, false, true] };
    const { errors } = await execute({ schema, document: parse('{ items { name } }'), rootValue });
    await sleep(20);
    process.off('unhandledRejection', count);
    expect([errors?.map(({ message }) => message), abandoned]).toEqual([['at once'], 0]);
  });
});

describe('Pacer', () => {
  it('resolves 500 rows in a turn and the rest in later turns, in order', async () => {
    const pacer = new RowPacer();
    await sleep(1);
    const handed = Array.from({ length: 1_200 }, (_, row) => pacer.pace(row, 1));
    expect(handed.filter((row) => typeof row === 'number')).toHaveLength(500);
    let isIdle = false;
    pacer.whenIdle(() => (isIdle = true));
    expect(await Promise.all(handed)).toEqual(Array.from({ length: 1_200 }, (_, row) => row));
    await sleep(1);
    expect(isIdle).toBe(true);
  });
});

describe('writeLargeJson', () => {
  it.each([
    [{}],
    [[]],
    [{ a: [] }],
    [{ a: undefined, b: [undefined, null, { c: undefined }], 'd"': 'e\n', f: { g: [[{}]] } }],
    [{ data: Array.from({ length: 20_000 }, (_, id) => ({ id, nested: [{ text: 'text' }] })) }],
  ])('produces the same output as JSON.stringify', async (value) => {
    expect(await writeLargeJson(value)).toBe(JSON.stringify(value));
  });
});

describe('the limits of a document', () => {
  const schema = buildSchema('type Query { a: Query, b: Query, leaf: Int }');
  const faultsOf = (text: string) =>
    validate(schema, parse(text), [overlapLimit, introspectionLimit]).map(({ message }) => message);

  it('bound repetitions of a field, including repetitions in fragments and nested fields', () => {
    const tooOften = [
      'The operation has more than 10,000 pairs of fields with the same response name. Remove repeated fields.',
    ];
    expect(faultsOf(`{ ${'leaf '.repeat(141)} }`)).toEqual([]);
    expect(faultsOf(`{ ${'leaf '.repeat(142)} }`)).toEqual(tooOften);
    expect(faultsOf(`{ ${'...F '.repeat(142)} } fragment F on Query { leaf }`)).toEqual(tooOften);
    expect(faultsOf(`{ ${'a { b { leaf } } '.repeat(90)} }`)).toEqual(tooOften);
    expect(faultsOf(`{ a { ${'leaf '.repeat(141)} } b { leaf } }`)).toEqual([]);
  });

  it('let introspection read the schema once', () => {
    const alias = ['__schema and the fields below it must not have aliases.'];
    const nested = [
      'Introspection must not nest the lists fields, inputFields, interfaces, possibleTypes in each other.',
    ];
    expect(faultsOf('{ x: __schema { types { name } } }')).toEqual(alias);
    expect(faultsOf('{ __schema { ...F } } fragment F on __Schema { types { x: fields { name } } }')).toEqual(alias);
    expect(faultsOf('{ __schema { types { fields { type { fields { name } } } } } }')).toEqual(nested);
    expect(faultsOf('{ x: leaf y: __type(name: "Query") { z: fields { args { type { name } } } } }')).toEqual([]);
    expect(faultsOf('{ y: __type(name: "Query") { fields { type { fields { name } } } } }')).toEqual(nested);
  });
});
