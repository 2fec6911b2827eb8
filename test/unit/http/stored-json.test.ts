import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  parse,
} from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { compileJsonWriter } from '../../../rest-facade/json-writer.js';
import { type Operation, readOperations } from '../../../rest-facade/operations.js';
import { rootFieldOf, type Selection } from '../../../rest-facade/selection.js';
import { createOrm } from '../../../src/database/orm.js';
import { createSchema } from '../../../src/graphql-schema.js';
import { compileObjects, completePart, setsOf, storedFields } from '../../../src/http/graphql/response-objects.js';
import { fragmentsOf, selectedFields } from '../../../src/http/graphql/selected-fields.js';
import { isJsonText, JsonText, jsonTextKey, writeJson } from '../../../src/kernel/entities/json-text.js';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';

/** JSON types of scalar values in definitions. Null is not allowed. */
const LEAVES = ['string', 'integer', 'number', 'boolean'];

let schema: GraphQLSchema;
let operations: ReadonlyMap<string, Operation>;

beforeAll(async () => {
  schema = await createSchema(createOrm('postgres://127.0.0.1/none').getMetadata());
  operations = readOperations(schema);
});

function isExact({ extensions }: GraphQLField<unknown, unknown>): boolean {
  return extensions.isExact === true;
}

function isClosed(type: GraphQLOutputType, seen = new Set<unknown>()): boolean {
  const named = getNamedType(type);
  if (!isObjectType(named) || seen.has(named)) return true;
  seen.add(named);
  return Object.values(named.getFields()).every((field) => !field.resolve && isClosed(field.type, seen));
}

it('definitions reject unknown fields and nulls in columns whose stored JSON is sent', () => {
  const { $defs } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'catalog', 'definition.schema.json'), 'utf8'));
  const parts = ['Connector', 'ConnectorTap', 'ConnectorAuthStrategy'];
  const columns = parts.flatMap((part) =>
    Object.values((schema.getType(part) as GraphQLObjectType).getFields())
      .filter(isExact)
      .map((field) => ({ path: `${part}.${field.name}`, field, rule: $defs[part].properties[field.name] })),
  );
  expect(columns.length).toBeGreaterThan(20);
  for (const { path, field, rule } of columns) {
    expect(isClosed(field.type), path).toBe(true);
    expectClosed(rule, path);
  }

  function expectClosed(rule: Record<string, unknown>, path: string, seen: readonly unknown[] = []): void {
    if (seen.includes(rule.$ref ?? rule)) return;
    if (rule.$ref) expectClosed($defs[String(rule.$ref).slice(8)], path, [...seen, rule.$ref]);
    else if (rule.type === 'array') expectClosed(rule.items as never, `${path}[]`, seen);
    else if (rule.type !== 'object') expect(LEAVES, path).toEqual(expect.arrayContaining([rule.type].flat()));
    else if (rule.properties) {
      expect(rule.additionalProperties, path).toBe(false);
      for (const [name, below] of Object.entries(rule.properties)) expectClosed(below, `${path}.${name}`, seen);
    }
  }
});

it('REST selects all fields of columns whose stored JSON it can send', () => {
  const found = new Set<string>();
  for (const [name, { document, definition }] of operations) {
    const fragments = fragmentsOf(document);
    const visit = (type: GraphQLObjectType, sets: Parameters<typeof selectedFields>[1]): void => {
      const fields = selectedFields(type, sets, fragments);
      const stored = storedFields(fields, fragments);
      for (const { key, field, nodes } of fields) {
        if (!field) continue;
        if (isExact(field)) expect(stored, `${name}: ${type.name}.${key}`).toContain(key);
        if (isExact(field)) found.add(`${type.name}.${key}`);
        const named = getNamedType(field.type);
        if (isObjectType(named)) visit(named, setsOf(nodes));
      }
    };
    visit(schema.getRootType(definition.operation) as GraphQLObjectType, [definition.selectionSet]);
  }
  expect([...found]).toEqual(
    expect.arrayContaining(['ConnectorTap.sync', 'Connector.traversal', 'TableSpcResult.series']),
  );
});

it('REST writes the text of such a column, and its fields if code has read it', () => {
  const root = rootFieldOf(schema, operations.get('connector') as Operation);
  const tap = root.selection?.fields.find(({ key }) => key === 'taps')?.selection as Selection;
  const sync = tap.fields.find(({ key }) => key === 'sync');
  const write = compileJsonWriter(sync as never, { write: writeJson, isText: isJsonText });
  expect(write(new JsonText('{ "mode": 1 }'))).toBe('{ "mode": 1 }');
  expect(write({ mode: 'full_refresh', other: 1 })).toBe('{"mode":"full_refresh"}');
});

const SDL = 'type Part { a: Int, b: [Part!] } type Row { exact: Part, other: Part }';

it.each([
  ['all fields', '{ exact { a b { a b { a } } } }', false],
  ['all fields of a flat type', '{ exact { a } }', true],
  ['some fields', '{ exact { b { a } } }', false],
  ['a field under another name', '{ exact { c: a } }', false],
  ['__typename', '{ exact { a __typename } }', false],
  ['another column', '{ other { a } }', false],
])('a column is sent as stored only if a query selects its whole value: %s', (title, text, isStored) => {
  const flat = 'type Part { a: Int } type Row { exact: Part, other: Part }';
  const small = buildSchema(title === 'all fields' || title === 'some fields' ? SDL : flat);
  const type = small.getType('Row') as GraphQLObjectType;
  Object.assign(type.getFields().exact as object, { extensions: { isExact: true } });
  const document = parse(text);
  const fragments = fragmentsOf(document);
  const fields = selectedFields(
    type,
    [(document.definitions[0] as never as { selectionSet: never }).selectionSet],
    fragments,
  );
  const complete = new Map(
    fields.map(({ key, field, nodes }) => [
      key,
      completePart((field as never as { type: never }).type, setsOf(nodes), fragments),
    ]),
  );
  const create = compileObjects(type, fields, complete, storedFields(fields, fragments));
  const stored = new JsonText('{ "a": 1 }');
  const row = {
    exact: { a: 2, b: null },
    other: { a: 2 },
    [jsonTextKey('exact')]: stored,
    [jsonTextKey('other')]: stored,
  };
  const [value] = Object.values(create(row));
  expect(value === stored).toBe(isStored);
  const [known] = Object.values(create({ ...row, [jsonTextKey('exact')]: row.exact }));
  expect(known).not.toBe(stored);
  expect(Object.getPrototypeOf(known)).toBe(Object.prototype);
});
