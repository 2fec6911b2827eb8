import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { DocumentCache } from '../../../src/http/graphql/document-cache.js';
import { executeOperation } from '../../../src/http/graphql/execute-operation.js';
import { locationsOf } from '../../../src/kernel/document-locations.js';
import { AppError } from '../../../src/kernel/errors.js';
import type { RequestContext } from '../../../src/kernel/reading/request-context.js';
import { emptyReader } from '../../support/service/empty-reader.js';

const SDL = `
  input Filter { name: String, size: Int }
  type Item { name: String!, fails: String, failsNonNull: String!, items(limit: Int = 2): [Item!]!, echo(filter: Filter): String }
  type Query { item: Item, items(limit: Int = 2): [Item]!, strict: [Item!], echo(filter: Filter): String }
  type Mutation { echo(filter: Filter): String }
`;

const fail = (): never => {
  throw new AppError('CONFLICT', 'Failed.');
};
const item = (depth: number): object => ({ name: `item ${depth}`, depth });
const itemsBelow = ({ depth = 0 }: { depth?: number } = {}, { limit = 0 }: { limit?: number }): object[] =>
  Array.from({ length: limit }, () => item(depth + 1));

function schemaWithResolvers(): GraphQLSchema {
  const schema = buildSchema(SDL);
  const resolvers: Record<string, Record<string, unknown>> = {
    Item: { fails: fail, failsNonNull: async () => fail(), items: itemsBelow },
    Query: { item: () => item(0), items: itemsBelow, strict: () => [item(0), item(0)] },
    Mutation: {},
  };
  const echo = (_: unknown, args: object): string => JSON.stringify(args);
  for (const [name, fields] of Object.entries(resolvers)) {
    const type = schema.getType(name) as { getFields(): Record<string, { resolve?: unknown }> } | undefined;
    for (const [field, resolve] of Object.entries({ echo, ...fields })) {
      const found = type?.getFields()[field];
      if (found) found.resolve = resolve;
    }
  }
  return schema;
}

const schema = schemaWithResolvers();

async function ask(documents: DocumentCache, text: string, variables = {}): Promise<object> {
  const { document } = documents.read(text) as { document: DocumentNode };
  const operation = getOperationAST(document) as OperationDefinitionNode;
  const context: RequestContext = { requestId: '', read: emptyReader };
  return shown(await executeOperation(schema, documents, { document, operation, variables, context }));
}

function shown({ data, errors = [] }: ExecutionResult): object {
  const shownErrors = errors.map((error) => ({
    ...{ message: error.message, path: error.path, locations: locationsOf(error) },
    ...{ isOurs: error.originalError instanceof AppError, field: nameOf(error.nodes?.[0]) },
  }));
  return JSON.parse(JSON.stringify({ data, errors: shownErrors })) as object;
}

function nameOf(node: { kind: string } | undefined): string | undefined {
  return node?.kind === Kind.FIELD ? (node as unknown as { name: { value: string } }).name.value : undefined;
}

function isCompiled(documents: DocumentCache, text: string): boolean {
  const { document } = documents.read(text) as { document: DocumentNode };
  return documents.compiled(document, getOperationAST(document) as OperationDefinitionNode) !== undefined;
}

describe('a compiled document', () => {
  it.each([
    ['plain fields', '{ item { name __typename } }', {}],
    [
      'aliases and fragments',
      '{ a: item { ...F } b: item { ...F } } fragment F on Item { n: name items { name } }',
      {},
    ],
    ['variables with defaults', 'query ($n: Int = 3) { items(limit: $n) { name } }', {}],
    ['a missing variable of a type that is not nullable', 'query ($n: Int! = 3) { items(limit: $n) { name } }', {}],
    ['variables that are missing', 'query ($n: Int) { items(limit: $n) { name } }', {}],
    [
      '@include and @skip',
      'query ($y: Boolean!) { item { name @include(if: $y) fails @skip(if: true) } }',
      { y: false },
    ],
    ['an error in a nullable field', '{ items { name\n fails } }', {}],
    ['an error in a field that is not nullable', '{ items { name\n failsNonNull } }', {}],
    ['an error below a list of items that are not nullable', '{ strict { items { failsNonNull } } }', {}],
    ['an error in a fragment', '{ item { ...F } } fragment F on Item { x: fails ... { items { y: fails } } }', {}],
    ['introspection', '{ __schema { types { name kind fields { name args { defaultValue } } } } }', {}],
  ])('returns the same as the first request: %s', async (_, text, variables) => {
    const documents = new DocumentCache(schema);
    const first = await ask(documents, text, variables);
    await ask(documents, text, variables);
    expect(isCompiled(documents, text)).toBe(true);
    expect(await ask(documents, text, variables)).toEqual(first);
  });

  // graphql-jit would pass null for the missing variable.
  it.each(['query', 'mutation'])('omits a missing variable inside an input object of a %s', async (kind) => {
    const documents = new DocumentCache(schema);
    const text = `${kind} ($n: String) { echo(filter: { name: $n, size: 1 }) }`;
    for (let request = 0; request < 3; request++)
      expect(await ask(documents, text)).toMatchObject({ data: { echo: '{"filter":{"size":1}}' } });
  });
});

describe('the document cache', () => {
  it('keeps and compiles a document from its second request on', () => {
    const documents = new DocumentCache(schema);
    expect(isCompiled(documents, '{ item { name } }')).toBe(false);
    expect(isCompiled(documents, '{ item { name } }')).toBe(true);
  });

  it('keeps a repeated document during a flood of 10,000 other documents', () => {
    const documents = new DocumentCache(schema);
    const read = (text: string): unknown => documents.read(text).document;
    read('{ item { name } }');
    const kept = read('{ item { name } }');
    for (let number = 0; number < 10_000; number++) read(`{ item { name${number}: name } }`);
    expect(documents.size).toBe(1);
    expect(read('{ item { name } }')).toBe(kept);
  });

  it('keeps at most 500 documents, even if each is repeated', () => {
    const documents = new DocumentCache(schema);
    for (let number = 0; number < 1_000; number++) {
      documents.read(`{ item { name${number}: name } }`);
      documents.read(`{ item { name${number}: name } }`);
    }
    expect(documents.size).toBe(500);
  });

  it('keeps at most 512 Ki characters', () => {
    const documents = new DocumentCache(schema);
    const padding = ' '.repeat(32 * 1024);
    for (let number = 0; number < 40; number++) {
      documents.read(`{ item { name${number}: name } }${padding}`);
      documents.read(`{ item { name${number}: name } }${padding}`);
    }
    expect(documents.size).toBe(15);
  });
});
