import { buildSchema, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import Koa from 'koa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveApp, stopServers } from '../../../bench/support/serve-app.js';
import { RepresentationCache } from '../../../rest-facade/representation-cache.js';
import { compressResponses } from '../../../src/http/compress-responses.js';
import { createGraphqlEndpoint } from '../../../src/http/graphql/graphql-endpoint.js';
import { AppError } from '../../../src/kernel/errors.js';
import type { Caller } from '../../../src/tenancy/caller.js';
import { emptyReader } from '../../support/service/empty-reader.js';

const SDL = `
  type Vendor { name: String!, connector: String, instances: String, text: String }
  type Query { vendors(limit: Int): [Vendor!]!, me: String, fails: Vendor }
  type Mutation { vendors: [Vendor!]! }
`;

const OF_CATALOG = { ofCatalog: true };

let executions = 0;
let revision = 'one';
let url = '';

function aSchema(): GraphQLSchema {
  const schema = buildSchema(SDL);
  const field = (type: string, name: string) => (schema.getType(type) as GraphQLObjectType).getFields()[name] as object;
  const vendors = () => [{ name: `revision ${revision}, execution ${++executions}`, text: 'text '.repeat(500) }];
  Object.assign(field('Query', 'vendors'), { extensions: OF_CATALOG, resolve: vendors });
  Object.assign(field('Mutation', 'vendors'), { extensions: OF_CATALOG, resolve: vendors });
  const fails = () => {
    executions++;
    throw new AppError('NOT_FOUND', 'None.');
  };
  Object.assign(field('Query', 'fails'), { extensions: OF_CATALOG, resolve: fails });
  Object.assign(field('Query', 'me'), { resolve: (_: unknown, __: unknown, { caller }: never) => caller });
  const connector = { extensions: { ...OF_CATALOG, access: 'connectors:read' }, resolve: () => 'a connector' };
  Object.assign(field('Vendor', 'connector'), connector);
  Object.assign(field('Vendor', 'instances'), { resolve: () => 'of a workspace' });
  return schema;
}

function callerOf(tenantId: string, grants: string): Caller {
  return { kind: 'user', id: tenantId, userId: tenantId, tenantId, grants: new Set(grants.split(' ')) };
}

async function ask(query: string, variables?: object, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return response.text();
}

/** Repeats the query until its response is cached. */
async function cached(query: string): Promise<string> {
  for (let request = 0; request < 3; request++) await ask(query);
  return ask(query);
}

beforeEach(async () => {
  executions = 0;
  revision = 'one';
  const app = new Koa();
  const admit = async ({ headers }: Koa.Context) => {
    const { tenant, grants } = headers as Record<string, string>;
    return { requestId: 'id', read: emptyReader, caller: tenant ? callerOf(tenant, grants ?? '') : undefined };
  };
  app.use(compressResponses);
  const endpoint = createGraphqlEndpoint(
    aSchema(),
    admit,
    (_, read) => read(),
    () => undefined,
    async () => revision,
  );
  app.use(await endpoint);
  url = await serveApp(app);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stopServers();
});

describe('cached responses of /graphql', () => {
  it('replace the execution of repeated queries of the catalog', async () => {
    const text = await cached('{ vendors { name __typename } }');
    expect(executions).toBe(3);
    expect(await ask('{ vendors { name __typename } }')).toBe(text);
    expect(executions).toBe(3);
  });

  it('are the same for callers of all workspaces with the permission', async () => {
    const query = '{ vendors { name connector } }';
    for (let request = 0; request < 4; request++)
      await ask(query, {}, { tenant: `t${request}`, grants: 'connectors:read' });
    expect(executions).toBe(3);
  });

  it('are not sent to a caller without the permission of a field', async () => {
    const query = '{ vendors { name connector } }';
    const allowed = { tenant: 'one', grants: 'connectors:read' };
    for (let request = 0; request < 4; request++) await ask(query, {}, allowed);
    for (const headers of [{}, { tenant: 'one', grants: 'tables:read' }]) {
      expect(await ask(query, {}, headers as never)).not.toContain(`execution 3`);
    }
    expect(await ask(query, {}, allowed)).toContain('execution 3');
  });

  it('are dropped when the catalog changes', async () => {
    await cached('{ vendors { name } }');
    revision = 'two';
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + 1_500);
    expect(await ask('{ vendors { name } }')).toContain('revision two');
  });

  it.each([
    ['a field of a workspace', '{ vendors { name instances } }'],
    ['a field of a workspace in a fragment', '{ vendors { ...F } } fragment F on Vendor { name instances }'],
    ['a field of the caller', '{ me vendors { name } }'],
    ['a mutation', 'mutation { vendors { name } }'],
    ['introspection', '{ vendors { name } __schema { queryType { name } } }'],
    ['an error', '{ fails { name } }'],
  ])('exclude %s', async (_, query) => {
    await cached(query);
    const before = executions;
    await ask(query);
    expect(executions).toBeGreaterThan(before);
  });

  it('differ by variables', async () => {
    const query = 'query ($limit: Int) { vendors(limit: $limit) { name } }';
    for (let request = 0; request < 4; request++) await ask(query, { limit: 1 });
    const other = await ask(query, { limit: 2 });
    expect(other).toContain('execution 4');
  });

  it('do not include requests of a flood with different variables', async () => {
    const query = 'query ($limit: Int) { vendors(limit: $limit) { name } }';
    const lookups = vi.spyOn(RepresentationCache.prototype, 'get');
    for (let limit = 0; limit < 100; limit++) await ask(query, { limit });
    expect(lookups).not.toHaveBeenCalled();
  });

  it('have the content coding and the media type that the client prefers', async () => {
    const query = '{ vendors { name text } }';
    const plain = await cached(query);
    const accept = 'application/graphql-response+json';
    for (let request = 0; request < 4; request++) {
      const headers = { 'content-type': 'application/json', 'accept-encoding': 'br' };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
      expect(response.headers.get('content-encoding')).toBe('br');
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.text()).toBe(plain);
    }
    const headers = { 'content-type': 'application/json', accept };
    for (let request = 0; request < 4; request++) {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
      expect(response.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    }
  });
});

it('a cache of representations keeps at most its maximum number of bytes', async () => {
  const cache = new RepresentationCache(async () => 'one', 20_000);
  let made = 0;
  const make = async () => {
    made++;
    return { before: Buffer.alloc(1_000), after: Buffer.alloc(0) };
  };
  for (let key = 0; key < 100; key++) await cache.get(`key ${key}`, make);
  for (let key = 99; key >= 0; key--) await cache.get(`key ${key}`, make);
  expect(made).toBeGreaterThan(180);
});
