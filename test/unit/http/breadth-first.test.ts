import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLObjectType,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import { DatabaseError } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { ConnectorTap } from '../../../src/catalog/model/connector-tap.js';
import { PlatformVendor } from '../../../src/catalog/model/platform-vendor.js';
import { createOrm } from '../../../src/database/orm.js';
import { DocumentCache } from '../../../src/http/graphql/document-cache.js';
import { executeOperation } from '../../../src/http/graphql/execute-operation.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { DatabaseUnavailable } from '../../../src/kernel/errors.js';
import { decodeId, newId } from '../../../src/kernel/ids.js';
import type { EdgePlan } from '../../../src/kernel/reading/edge-plan.js';
import { Reader } from '../../../src/kernel/reading/reader.js';
import type { AccessContext } from '../../../src/tenancy/access.js';

const tables = new EntityTables(createOrm('postgres://127.0.0.1/none').getMetadata());

const SDL = `
  type PlatformVendor { name: String, taps: [ConnectorTap!]! }
  type ConnectorTap { name: String }
  type Item { vendor: PlatformVendor, required: PlatformVendor!, vendorId: String, taps: [ConnectorTap!], some: [ConnectorTap!] }
  type Query { items(count: Int!): [Item!]!, failing: [Item!], required: Item! }
`;

const calls = vi.fn();

const MISSING = newId();
let itemOf: (at: number) => object;

function aSchema() {
  const schema = buildSchema(SDL);
  const field = (type: string, name: string) => (schema.getType(type) as GraphQLObjectType).getFields()[name] as object;
  for (const name of ['PlatformVendor', 'ConnectorTap'])
    Object.assign(schema.getType(name) as object, { extensions: { isRow: true } });
  const row: EdgePlan = { kind: 'row', by: 'vendor', to: PlatformVendor, isNullable: true };
  const resolve = (item: { vendor: string | null }, _: unknown, { read }: AccessContext) => {
    calls();
    return item.vendor && read.byId(PlatformVendor, item.vendor);
  };
  Object.assign(field('Item', 'vendor'), { extensions: { plan: row }, resolve });
  Object.assign(field('Item', 'required'), { extensions: { plan: { ...row, isNullable: false } }, resolve });
  const list: EdgePlan = { kind: 'list', of: ConnectorTap, by: 'connector' };
  const ofVendor = ({ id }: { id: string }, _: unknown, { read }: AccessContext) =>
    read.many(ConnectorTap, 'connector', id);
  Object.assign(field('PlatformVendor', 'taps'), { extensions: { plan: list }, resolve: ofVendor });
  const ofOther = {
    kind: 'listOfOther',
    of: () => ConnectorTap,
    by: 'connector',
    owners: ['vendor', 'other'],
  } as const;
  for (const [name, isNullIfEmpty] of [
    ['taps', false],
    ['some', true],
  ] as const) {
    const plan: EdgePlan = { ...ofOther, isNullIfEmpty };
    Object.assign(field('Item', name), { extensions: { plan }, resolve: calls });
  }
  Object.assign(field('Item', 'vendorId'), { extensions: { property: 'vendor' }, resolve: calls });
  const items = (_: unknown, { count }: { count: number }) => Array.from({ length: count }, (_, at) => itemOf(at));
  Object.assign(field('Query', 'items'), { resolve: items });
  const fail = async (): Promise<never> => {
    calls();
    throw new Error('down');
  };
  for (const name of ['failing', 'required']) Object.assign(field('Query', name), { resolve: fail });
  return schema;
}

interface Item {
  vendor: object;
}

const schema = aSchema();
const statements: string[] = [];
let faultOf: (text: string) => Error | undefined = () => undefined;

/** Each vendor has the name `vendor ID`, and one tap with the name `tap ID`. */
function aReader(): Reader {
  return new Reader(tables, {
    query: async ({ text, values = [] }) => {
      statements.push(text);
      const fault = faultOf(text);
      if (fault) throw fault;
      const [columns = ''] = /(?<=^select ).*?(?= from)/.exec(text) ?? [];
      const kind = text.includes('connector_tap') ? 'tap' : 'vendor';
      const ids = (values[0] as string[]).filter((id) => id !== decodeId(MISSING));
      const textOf = (column: string, id: string) => {
        if (column === '"name"') return `${kind} ${id}`;
        return /^"(connector_)?id"$/.test(column) ? id : null;
      };
      return { rows: ids.map((id) => columns.split(', ').map((column) => textOf(column, id))) };
    },
  });
}

const documents = new DocumentCache(schema);

async function ask(text: string, count = 3): Promise<ExecutionResult> {
  documents.read(text);
  const { document } = documents.read(text) as { document: DocumentNode };
  const operation = getOperationAST(document) as OperationDefinitionNode;
  const context = { requestId: '', read: aReader() };
  return executeOperation(schema, documents, { document, operation, variables: { count }, context });
}

afterEach(() => {
  calls.mockClear();
  statements.length = 0;
  faultOf = () => undefined;
});

it('rows of a relation are loaded for all objects without calling its resolver', async () => {
  const ids = Array.from({ length: 1_200 }, newId);
  itemOf = (at) => ({ vendor: at % 3 === 2 ? null : ids[at] });
  const { data, errors } = await ask(
    'query ($count: Int!) { items(count: $count) { vendor { name taps { name } } } }',
    1_200,
  );
  expect([errors, statements.length, calls.mock.calls.length]).toEqual([undefined, 2, 0]);
  const expected = ids.map((id, at) => {
    const uuid = decodeId(id);
    return { vendor: at % 3 === 2 ? null : { name: `vendor ${uuid}`, taps: [{ name: `tap ${uuid}` }] } };
  });
  expect(data?.items).toEqual(expected);
});

it('objects that refer to the same row share its object only if nothing below it counts towards the row budget', async () => {
  const id = newId();
  itemOf = () => ({ vendor: id });
  const shared = await ask('query ($count: Int!) { items(count: $count) { vendor { name } } }');
  const own = await ask('query ($count: Int!) { items(count: $count) { vendor { taps { name } } } }');
  const countOf = ({ data }: ExecutionResult) =>
    new Set((data as { items: Item[] }).items.map(({ vendor }) => vendor)).size;
  expect([countOf(shared), countOf(own)]).toEqual([1, 3]);
});

it('lists of other objects are loaded for all objects without calling their resolver', async () => {
  const [first, second] = [newId(), newId()];
  itemOf = (at) =>
    [{ vendor: first, other: second }, { vendor: null, other: second }, { vendor: null }, { vendor: MISSING }][
      at
    ] as object;
  const { data } = await ask(
    'query ($count: Int!) { items(count: $count) { taps { name } some { name } vendorId } }',
    4,
  );
  const of = (id: string) => [{ name: `tap ${decodeId(id)}` }];
  expect([statements.length, calls.mock.calls.length, data?.items]).toEqual([
    1,
    0,
    [
      { taps: of(first), some: of(first), vendorId: first },
      { taps: of(second), some: of(second), vendorId: null },
      { taps: null, some: null, vendorId: null },
      { taps: [], some: null, vendorId: MISSING },
    ],
  ]);
});

it('a required row that is missing is an error of its field', async () => {
  const [first, last] = [newId(), newId()];
  itemOf = (at) => ({ vendor: [first, MISSING, last][at] });
  const { errors } = await ask('query ($count: Int!) { items(count: $count) { required { name } } }');
  expect(errors?.map(({ path }) => path)).toEqual([['items', 1, 'required']]);
  expect(statements).toHaveLength(1);
});

it('a database error of one field does not affect the other fields, and no statement is sent twice', async () => {
  const id = newId();
  itemOf = () => ({ vendor: id });
  faultOf = (text) => (text.includes('connector_tap') ? new DatabaseError('canceled', 0, 'error') : undefined);
  const text = 'query ($count: Int!) { items(count: $count) { vendor { taps { name } } required { name } } }';
  const { data, errors } = await ask(text, 1);
  expect(data?.items).toEqual([{ vendor: null, required: { name: `vendor ${decodeId(id)}` } }]);
  expect([errors?.map(({ path, message }) => [path, message]), statements.length]).toEqual([
    [[['items', 0, 'vendor', 'taps'], 'canceled']],
    2,
  ]);
});

it('a root field that fails is called once, and does not affect the other root fields', async () => {
  itemOf = () => ({ vendor: null });
  const { data, errors } = await ask('query ($count: Int!) { failing { vendorId } items(count: $count) { vendorId } }');
  expect([data?.failing, data?.items]).toEqual([null, Array(3).fill({ vendorId: null })]);
  expect(errors?.map(({ path, message, nodes }) => [path, message, nodes?.length])).toEqual([[['failing'], 'down', 1]]);
  expect(calls).toHaveBeenCalledTimes(1);
  const required = await ask('query ($count: Int!) { items(count: $count) { vendorId } required { vendorId } }');
  expect([required.data, required.errors?.map(({ path }) => path)]).toEqual([null, [['required']]]);
});

it('a query whose rows cannot be read sends one statement to the database', async () => {
  itemOf = () => ({ vendor: newId() });
  faultOf = () => new DatabaseUnavailable(new Error('lost'));
  const { errors } = await ask('query ($count: Int!) { items(count: $count) { vendor { name } } }', 1);
  expect([errors?.map(({ path }) => path), statements.length]).toEqual([[['items', 0, 'vendor']], 1]);
});

it('a field may have the response name __proto__', async () => {
  itemOf = () => ({ vendor: newId() });
  const { data } = await ask(
    'query ($count: Int!) { items(count: $count) { __proto__: vendor { __proto__: name } } }',
    1,
  );
  expect(JSON.stringify(data)).toMatch(/\{"items":\[\{"__proto__":\{"__proto__":"vendor .*"\}\}\]\}/);
});
