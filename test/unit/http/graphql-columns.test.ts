import { randomUUID } from 'node:crypto';
import {
  type DocumentNode,
  GraphQLBoolean,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  getOperationAST,
} from 'graphql';
import { expect, it } from 'vitest';
import { PlatformVendor } from '../../../src/catalog/model/platform-vendor.js';
import { createOrm } from '../../../src/database/orm.js';
import { DocumentCache } from '../../../src/http/graphql/document-cache.js';
import { executeOperation } from '../../../src/http/graphql/execute-operation.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { Reader } from '../../../src/kernel/reading/reader.js';
import type { RequestContext } from '../../../src/kernel/reading/request-context.js';

const tables = new EntityTables(createOrm('postgres://127.0.0.1/none').getMetadata());

/** The field uses a different column of the vendor if `detailed` is true. */
const vendor = {
  type: GraphQLString,
  args: { detailed: { type: GraphQLBoolean } },
  resolve: async (_: unknown, { detailed }: { detailed?: boolean }, { read }: RequestContext) => {
    const [found] = await read.select(PlatformVendor, { limit: 1 });
    return detailed ? found?.description : found?.slug;
  },
};
const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { vendor } }) });

function aReader(statements: string[]): Reader {
  return new Reader(tables, {
    query: async ({ text }) => {
      statements.push(text);
      const columns = (/^select (.*?) from/.exec(text)?.[1] ?? '').replaceAll('"', '').split(', ');
      const values: Record<string, string> = { id: randomUUID(), slug: 'a-slug', description: 'A description.' };
      return { rows: [columns.map((column) => values[column] ?? null)] };
    },
  });
}

it('a query that uses a column for the first time runs again with all columns', async () => {
  const documents = new DocumentCache(schema);
  const statements: string[] = [];
  const ask = async (detailed: boolean): Promise<unknown> => {
    const { document } = documents.read('query ($d: Boolean) { vendor(detailed: $d) }') as { document: DocumentNode };
    const operation = getOperationAST(document) as NonNullable<ReturnType<typeof getOperationAST>>;
    const context = { requestId: '', read: aReader(statements) };
    const { data } = await executeOperation(schema, documents, {
      document,
      operation,
      variables: { d: detailed },
      context,
    });
    return data?.vendor;
  };
  for (let request = 0; request < 3; request++) expect(await ask(false)).toBe('a-slug');
  expect(statements.at(-1)).not.toContain('description');
  expect(await ask(true)).toBe('A description.');
  expect(statements.slice(3).map((text) => text.includes('description'))).toEqual([false, true]);
  expect(await ask(true)).toBe('A description.');
  expect(statements).toHaveLength(6);
});
