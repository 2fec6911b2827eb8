import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { postThenAsk } from '../support/kept-connection.js';
import { aService } from '../support/service.js';

const service = aService();
const json = { 'content-type': 'application/json' };

describe('POST /graphql', () => {
  it.each([
    ['a syntax error', '{ platformVendors('],
    ['an unknown field', '{ platformVendors { nothing } }'],
    ['an argument out of bounds', '{ platformVendors(limit: 251) { total } }'],
    ['20,000 tokens', `{ ${'platformVendors { total } '.repeat(5_000)} }`],
    ['21 levels', `{ platformVendors { items ${'{ groupings { vendor '.repeat(10)} { name } ${'} }'.repeat(10)} } }`],
    ['fragments in a circle', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
  ])('refuses %s with BAD_REQUEST', async (_, query) => {
    const { status, body } = await service.graphql(query);
    expect([200, 400]).toContain(status);
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
    expect(body.errors[0].message).not.toBe('');
  });

  it.each([
    ['no body', undefined, 400],
    ['a body that is not JSON', '{', 400],
    ['a body of 2 MB', JSON.stringify({ query: `{${' '.repeat(2_000_000)}}` }), 413],
  ])('answers %s with the documented error', async (_, body, expected) => {
    const { status, text } = await service.request('/graphql', {
      method: 'POST',
      headers: json,
      ...(body && { body }),
    });
    expect(status).toBe(expected);
    expect(text).toMatch(/BAD_REQUEST|PAYLOAD_TOO_LARGE/);
  });

  it('refuses gzip that is none with 400', async () => {
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
  ])('accepts a body compressed by %s of up to 1 MiB', async (encoding, compress) => {
    const post = async (size: number) => {
      const headers = { ...json, 'content-encoding': encoding };
      const body = new Uint8Array(compress('{"query":"{__typename}"}'.padEnd(size)));
      return service.request('/graphql', { method: 'POST', headers, body });
    };
    expect((await post(1024 * 1024)).body).toEqual({ data: { __typename: 'Query' } });
    const { status, body } = await post(1024 * 1024 + 1);
    expect([status, body.error]).toEqual([
      ...[413, 'PAYLOAD_TOO_LARGE: A body may have 1048576 bytes when it is unpacked.'],
    ]);
  });

  it.each([
    ['compressed', { 'content-encoding': 'gzip' }],
    ['uncompressed', {}],
    ['chunked', { 'transfer-encoding': 'chunked' }],
  ])('leaves the connection usable after a %s body over 1 MiB', async (_, headers) => {
    const body = gzipSync(randomBytes(3 * 1024 * 1024));
    const [refused, next] = await postThenAsk(`${service.url}/graphql`, body, { ...json, ...headers });
    expect([refused.status, next.status]).toEqual([413, 200]);
    expect(refused.text).toMatch(/PAYLOAD_TOO_LARGE/);
  });

  it('refuses a question that reaches too many rows, at once', async () => {
    const doubled = [0, 1, 2].map(
      (i) => `fragment F${i} on PlatformVendor {
      a: groupings { vendor { ...F${i + 1} } } b: groupings { vendor { ...F${i + 1} } } }`,
    );
    const deep = `${'groupings { vendor { '.repeat(5)} name ${'} }'.repeat(5)}`;
    const query = `{ platformVendors { items { ...F0 } } } ${doubled.join(' ')} fragment F3 on PlatformVendor { ${deep} }`;
    const startedAt = performance.now();
    const { body } = await service.graphql(query);
    expect(body.errors[0].message).toBe('The question reaches more than 50000 rows.');
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it('refuses fragments that double at every level', async () => {
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
