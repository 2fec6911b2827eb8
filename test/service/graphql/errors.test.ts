import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anApiKeyClient } from '../../support/service/callers.js';
import { eventLoopDelayOf } from '../../support/service/event-loop-delay.js';
import { cycle, EXPENSIVE_REQUESTS } from '../../support/service/expensive-requests.js';
import { postThenGetHealth } from '../../support/service/keep-alive-connection.js';
import { aService, type Reply } from '../../support/service/service.js';

const service = aService();
const json = { 'content-type': 'application/json' };

describe('POST /graphql', () => {
  it.each([
    ['a syntax error', '{ platformVendors('],
    ['an unknown field', '{ platformVendors { nothing } }'],
    ['an argument out of bounds', '{ platformVendors(limit: 251) { total } }'],
    ['20,000 tokens', `{ ${'platformVendors { total } '.repeat(5_000)} }`],
    ['21 levels', `{ platformVendors { items ${'{ groupings { vendor '.repeat(10)} { name } ${'} }'.repeat(10)} } }`],
    ['cyclic fragments', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
  ])('rejects %s with BAD_REQUEST', async (_, query) => {
    const { status, body } = await service.graphql(query);
    expect([200, 400]).toContain(status);
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
    expect(body.errors[0].message).not.toBe('');
  });

  it.each([
    ['no body', undefined, 400],
    ['a body that is not JSON', '{', 400],
    ['a body of 2 MB', JSON.stringify({ query: `{${' '.repeat(2_000_000)}}` }), 413],
  ])('returns the documented error for %s', async (_, body, expected) => {
    const { status, text } = await service.request('/graphql', {
      method: 'POST',
      headers: json,
      ...(body && { body }),
    });
    expect(status).toBe(expected);
    expect(text).toMatch(/BAD_REQUEST|PAYLOAD_TOO_LARGE/);
  });

  it('rejects invalid gzip with 400', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    const { status, body } = await service.request('/graphql', {
      method: 'POST',
      headers,
      body: '{"query":"{__typename}"}',
    });
    expect([status, body.error]).toEqual([400, 'BAD_REQUEST: The body is not valid gzip.']);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])(
    'accepts a body compressed by %s of up to 1 MiB, from anonymous callers of up to 256 KiB',
    async (encoding, compress) => {
      for (const [client, limit, text] of [
        [service.as('viewer'), 1024 * 1024, '1 MiB'],
        [service, 256 * 1024, '256 KiB'],
      ] as const) {
        const post = async (size: number) => {
          const headers = { ...json, 'content-encoding': encoding };
          const body = new Uint8Array(compress('{"query":"{__typename}"}'.padEnd(size)));
          return client.request('/graphql', { method: 'POST', headers, body });
        };
        expect((await post(limit)).body).toEqual({ data: { __typename: 'Query' } });
        const { status, body } = await post(limit + 1);
        expect([status, body.error]).toEqual([
          ...[413, `PAYLOAD_TOO_LARGE: The decompressed request body exceeds the limit of ${text}.`],
        ]);
      }
    },
  );

  it.each([
    ['compressed', { 'content-encoding': 'gzip' }],
    ['uncompressed', {}],
    ['chunked', { 'transfer-encoding': 'chunked' }],
  ])('leaves the connection usable after a %s body over 1 MiB', async (_, headers) => {
    const body = gzipSync(randomBytes(3 * 1024 * 1024));
    const [refused, next] = await postThenGetHealth(`${service.url}/graphql`, body, { ...json, ...headers });
    expect([refused.status, next.status]).toEqual([413, 200]);
    expect(refused.text).toMatch(/PAYLOAD_TOO_LARGE/);
  });

  it('rejects a query that reaches too many rows without executing it', async () => {
    const startedAt = performance.now();
    const { body } = await service.graphql(cycle(7));
    expect(body.errors[0].message).toBe(
      'The query reads more rows than the limit of 50,000. Select fewer fields, or request smaller pages.',
    );
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it.each(['the first', 'a later'])(
    'rejects an operation above the cost limit before it runs: %s request',
    async () => {
      const list = 'groupings(limit: $limit) { vendor';
      const query = `mutation ($name: String!, $limit: Int!) { createConnectorRequest(connectorName: $name) {
      resolvedVendor { ${`${list} { `.repeat(3)} name ${'} }'.repeat(3)} } } }`;
      const owner = service.as('owner');
      const send = (name: string, limit: number) => owner.post('/graphql', { query, variables: { name, limit } });
      const { status, body } = await send('too expensive', 100);
      expect([status, body]).toEqual([
        200,
        {
          errors: [
            {
              message: expect.stringMatching(
                /^The mutation may return 2,020,202 objects, but the maximum is 500,000\. Most of these objects are in createConnectorRequest\.resolvedVendor\.groupings/,
              ),
              extensions: { code: 'BAD_REQUEST' },
            },
          ],
        },
      ]);
      expect((await send('affordable', 10)).body.errors).toBeUndefined();
      const { items } = (await owner.graphql('{ connectorRequests { items { connectorName } } }')).body.data
        .connectorRequests;
      const names = items.map(({ connectorName }: { connectorName: string }) => connectorName);
      expect([names.includes('too expensive'), names.includes('affordable')]).toEqual([false, true]);
    },
  );

  it('rejects fragments that double at every level', async () => {
    const levels = Array.from(
      { length: 7 },
      (_, i) => `fragment F${i} on PlatformVendor {
      a: groupings { vendor { ...F${i + 1} } } b: groupings { vendor { ...F${i + 1} } } }`,
    );
    const query = `{ platformVendors { items { ...F0 } } } ${levels.join(' ')} fragment F7 on PlatformVendor { name }`;
    const { body } = await service.graphql(query);
    expect(body.errors[0].message).toBe('The operation has more than 20 aliases.');
  });
});

describe('a denied field is null with an error, and the rest of the response is returned:', () => {
  const CATALOG = 'platformVendor(slug: "github") { name }';
  const catalog = { platformVendor: { name: 'GitHub' } };
  const faultsIn = ({ body }: Reply) =>
    body.errors.map(({ path, extensions }: { path: string[]; extensions: object }) => ({ path, ...extensions }));

  it('root fields without the permission', async () => {
    const reply = await service.as('viewer').graphql(`{ apiKeys { total } ${CATALOG} users { total } }`);
    expect([reply.status, reply.body.data]).toEqual([200, { ...catalog, apiKeys: null, users: { total: 5 } }]);
    expect(faultsIn(reply)).toEqual([{ code: 'FORBIDDEN', path: ['apiKeys'] }]);
  });

  it('root fields without authentication', async () => {
    const reply = await service.graphql(`{ me { id } ${CATALOG} }`);
    expect([reply.status, reply.body.data]).toEqual([200, { ...catalog, me: null }]);
    expect(faultsIn(reply)).toEqual([{ code: 'UNAUTHENTICATED', path: ['me'] }]);
  });

  it('fields of the result of a mutation', async () => {
    const client = await anApiKeyClient(service, ['connector_requests:write']);
    const reply = await client.graphql(
      'mutation { createConnectorRequest(connectorName: "a") { status moves { id } } }',
    );
    expect(reply.body.data).toEqual({ createConnectorRequest: { status: 'pending', moves: null } });
    expect(faultsIn(reply)).toEqual([{ code: 'FORBIDDEN', path: ['createConnectorRequest', 'moves'] }]);
  });
});

describe('a GraphQL document', () => {
  const repeated = (count: number, text: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => text(index)).join(' ');

  it.each([
    ['64 KiB', `{__typename}${' '.repeat(65_525)}`, 'The document exceeds the limit of 64 KiB.'],
    ['5,000 tokens', `{${'__typename '.repeat(4_999)}}`, 'The document exceeds the limit of 5,000 tokens.'],
    [
      '64 nested brackets',
      `{a(b:${'['.repeat(63)}${']'.repeat(63)})}`,
      'The document nests brackets more than 64 levels deep.',
    ],
    [
      '100 fragments',
      `{a}${repeated(100, (n) => `fragment F${n} on Query{a}`)}`,
      'The document has more than 100 operations and fragments.',
    ],
    [
      '100 variables',
      `query(${repeated(101, (n) => `$a${n}:Int`)}){a}`,
      'An operation of the document has more than 100 variables.',
    ],
    [
      '100 arguments',
      `{a(${repeated(101, (n) => `a${n}:1`)})}`,
      'A field or directive of the document has more than 100 arguments.',
    ],
    ['100 directives', `{a ${repeated(101, (n) => `@a${n}`)}}`, 'A part of the document has more than 100 directives.'],
  ])('with more than %s is rejected with that limit', async (_, query, message) => {
    const { status, body } = await service.graphql(query);
    const errors = [{ message, extensions: { code: 'BAD_REQUEST' } }];
    expect([status, body]).toEqual([200, { errors }]);
    const precise = await service.post('/graphql', { query }, { accept: 'application/graphql-response+json' });
    expect([precise.status, precise.text]).toEqual([400, JSON.stringify({ errors })]);
    const address = `/graphql?${new URLSearchParams({ query })}`;
    if (address.length < 10_000) expect((await service.request(address, { headers: json })).body).toEqual({ errors });
  });

  it('has at most 5 errors, each with its location', async () => {
    const { body } = await service.graphql(`\n\n{ ${repeated(50, (n) => `x${n}`)} }`);
    expect(body.errors).toHaveLength(6);
    expect(body.errors[1]).toMatchObject({ locations: [{ line: 3, column: 6 }] });
    expect(body.errors[5].message).toContain('Validation aborted');
  });

  it('returns at most 100 errors if every row fails', async () => {
    const levels = 3;
    const query = `{ platformVendors { items { ${'groupings { connector { name } vendor { '.repeat(levels)} name ${'} }'.repeat(levels)} } } }`;
    const { body } = await service.graphql(query);
    expect([body.errors.length, body.errors[0].locations]).toEqual([100, [{ line: 1, column: 41 }]]);
  });
});

describe('an anonymous request', () => {
  // The slowest of these requests take up to 50 ms on an idle core. `eventLoopDelayOf` scales the time to an idle core,
  // but cannot compensate for slow memory allocation.
  const MAX_MS = 100;

  it.each(Object.entries(EXPENSIVE_REQUESTS))(
    `does not block the event loop for more than ${MAX_MS} ms: %s`,
    async (_, { path, init }) => {
      const send = () => service.request(path, init);
      expect((await send()).status).toBeLessThan(500);
      expect(await eventLoopDelayOf(send, MAX_MS)).toBeLessThanOrEqual(MAX_MS);
    },
    120_000,
  );
});
