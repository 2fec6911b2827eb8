import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendError } from '../../../rest-facade/errors.js';
import { prepareOperation } from '../../../src/graphql-schema.js';
import { createGraphqlEndpoint } from '../../../src/http/graphql/graphql-endpoint.js';
import { AppError } from '../../../src/kernel/errors.js';
import { emptyReader } from '../../support/service/empty-reader.js';

const QUERY = '{ busy away wrong }';
const CODES = ['TOO_MANY_REQUESTS', 'UNAVAILABLE', 'CONFLICT'] as const;
const FAILURES = {
  busy: new AppError(CODES[0], 'Too often.', { retryAfter: 42 }),
  away: new AppError(CODES[1], 'Away.'),
  wrong: new AppError(CODES[2], 'Wrong.'),
};
const EXTENSIONS = [{ code: CODES[0], retryAfter: 42 }, { code: CODES[1], retryAfter: 5 }, { code: CODES[2] }];

const fields = Object.entries(FAILURES).map(([name, failure]) => {
  const resolve = () => Promise.reject(failure);
  return [name, { type: GraphQLString, resolve }] as const;
});
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: Object.fromEntries(fields) }),
});

const ignore = () => undefined;
const context = { requestId: 'a request', read: emptyReader };
const server = new Koa();
let url: string;
let close: () => void;

beforeAll(async () => {
  const endpoint = await createGraphqlEndpoint(
    schema,
    async () => context,
    (_ctx, read) => read(),
    ignore,
  );
  server.use((ctx, next) => {
    const failure = FAILURES[ctx.path.slice(1) as keyof typeof FAILURES];
    return failure ? sendError(ctx, failure) : endpoint(ctx, next);
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  close = () => listening.close();
});

afterAll(() => close());

describe('an error with a retry delay', () => {
  it('sets Retry-After, even for a database error without a retry delay', async () => {
    const waits = Object.keys(FAILURES).map(async (name) => (await fetch(`${url}/${name}`)).headers.get('retry-after'));
    expect(await Promise.all(waits)).toEqual(['42', '5', null]);
  });

  it('adds it to the error extensions over GraphQL', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: QUERY }) });
    const { errors } = (await reply.json()) as { errors: { extensions: object }[] };
    expect(errors.map(({ extensions }) => extensions)).toEqual(EXTENSIONS);
  });

  it('passes it to the REST interface, which runs a compiled operation', async () => {
    const { errors } = await prepareOperation(schema, parse(QUERY), ignore)(context, {});
    expect(errors?.map(({ extensions }) => extensions)).toEqual(EXTENSIONS);
  });
});
