import type { MikroORM } from '@mikro-orm/postgresql';
import { print } from 'graphql';
import type Koa from 'koa';
import { pino } from 'pino';
import { createRestFacade } from '../rest-facade/index.js';
import { readOperations } from '../rest-facade/operations.js';
import { createApp } from '../src/app.js';
import { readCatalogRevision } from '../src/catalog/catalog-revision.js';
import { createSchema, prepareOperation } from '../src/graphql.js';
import { createGraphqlEndpoint } from '../src/graphql-endpoint.js';
import { Reader, Tables } from '../src/kernel/reading.js';
import { errorReporter } from '../src/report-error.js';

/** Base of the links in replies, the same for product and yardstick so that they answer the same. */
export const BASE_URL = 'http://127.0.0.1:4000';

export interface Product {
  /** As it is served by default: finished replies are kept. */
  readonly cached: Koa;
  /** Nothing is kept, so that every request asks the database. */
  readonly uncached: Koa;
  /** The operation of a REST route as the body of a POST to `/graphql`. */
  question(operation: string, variables: object): string;
}

/** The service as `src/service.ts` composes it, with and without the cache. */
export async function composeProduct(orm: MikroORM): Promise<Product> {
  const log = pino({ level: 'silent' });
  const report = errorReporter(log);
  const metadata = orm.getMetadata();
  const schema = await createSchema(metadata);
  const pool = await orm.em.getConnection().getNativeClient();
  const tables = new Tables(metadata);
  const newReader = (): Reader => new Reader(tables, pool);
  const contextOf = (ctx: { state: Record<string, string> }) => ({
    requestId: ctx.state.requestId as string,
    read: newReader(),
  });
  const facade = {
    schema,
    prepare: (document: Parameters<typeof prepareOperation>[1]) => {
      const operation = prepareOperation(schema, document, report);
      return (ctx: Koa.Context, variables: Record<string, unknown>) => operation(contextOf(ctx), variables);
    },
    baseUrl: () => BASE_URL,
  };
  const graphql = await createGraphqlEndpoint(schema, contextOf, report);
  const parts = { log, report, isReady: async () => true, openapi: () => ({}), graphql };
  const publicRevision = () => readCatalogRevision(newReader());
  const operations = readOperations(schema);
  return {
    cached: createApp({ ...parts, restFacade: createRestFacade({ ...facade, publicRevision }) }),
    uncached: createApp({ ...parts, restFacade: createRestFacade(facade) }),
    question: (name, variables) => {
      const operation = operations.get(name);
      if (!operation) throw new Error(`there is no operation ${name}`);
      return JSON.stringify({ query: print(operation.document), variables });
    },
  };
}
