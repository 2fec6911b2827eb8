import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { anApiKeyConnection } from '../../../support/operations/connection-calls.js';
import { roleIdOf } from '../../../support/service/callers.js';
import { postThenGetHealth } from '../../../support/service/keep-alive-connection.js';
import { aService, Reply } from '../../../support/service/service.js';

const service = aService();
const owner = service.as('owner');
const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;
const DEEP = 100_000;
/** A lone surrogate, escaped in JSON. */
const LONE = '\\ud800';

let credentials: OutgoingHttpHeaders;
let roleId: string;
let count = 0;

beforeAll(async () => {
  credentials = { authorization: `Bearer ${await service.tokenOf('owner')}`, 'x-tenant': 'demo' };
  roleId = await roleIdOf(owner, 'viewer');
});

interface Sent {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary responses
  body: any;
}

/** With `isChunked`, sends two chunks without Content-Length. */
async function send(
  path: string,
  bytes: string | Buffer,
  headers: OutgoingHttpHeaders,
  isChunked = false,
): Promise<Sent> {
  const body = Buffer.from(bytes);
  const length = isChunked ? {} : { 'content-length': body.length };
  const outgoing = request(service.url + path, { method: 'POST', headers: { ...credentials, ...length, ...headers } });
  if (isChunked) outgoing.write(body.subarray(0, body.length / 2));
  outgoing.end(isChunked ? body.subarray(body.length / 2) : body);
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: reply.statusCode as number, body: enveloped(reply, await text(reply)) };
}

/** Expects the documented response structure, and a status below 500. */
function enveloped(reply: IncomingMessage, content: string): object {
  const body = JSON.parse(content);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.statusCode).toBeLessThan(500);
  if (reply.statusCode === 200) expect(Object.keys(body)).toEqual(['data', 'meta']);
  else expect(body).toEqual({ error: expect.stringMatching(`^${reply.headers['x-error-code']}: .+\\.$`) });
  return body;
}

/** `fields` returns valid fields with a new value for each call. `name` is the name of a text field. */
const ROUTES = [
  {
    path: '/api/connector-requests/connector-requests',
    name: 'connectorName',
    table: 'connector_request',
    column: 'connector_name',
    fields: () => ({ connectorName: `Acme ${++count}` }) as Record<string, unknown>,
  },
  {
    path: '/api/users/invitations',
    name: 'email',
    table: 'invitation',
    column: 'email',
    fields: () => ({ email: `person${++count}@x.test`, roleIds: [roleId] }) as Record<string, unknown>,
  },
];

describe.each(ROUTES)('a body for POST $path', ({ path, name, table, column, fields }) => {
  const good = (): string => JSON.stringify(fields());
  const withText = (value: string): string => good().replace(/"[^"]+":"[^"]+"/, `"${name}":"${value}"`);
  const withValue = (json: string): string => good().replace(/"[^"]+":"[^"]+"/, `"${name}":${json}`);
  const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

  it.each<[string, () => string | Buffer]>([
    ['is JSON', good],
    ['begins with a byte order mark, which is ignored', () => `\ufeff${good()}`],
    ['has white space around it', () => ` \r\n\t${good()}\n`],
    [
      'escapes characters of a name',
      () => good().replace(name, `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`),
    ],
    ['has 1 MiB', () => good().padEnd(MIB)],
  ])('that %s is accepted', async (_, body) => {
    expect((await send(path, body(), JSON_TYPE)).status).toBe(200);
    expect((await send(path, body(), JSON_TYPE, true)).status).toBe(200);
  });

  it.each<[string, () => string | Buffer]>([
    ['is not JSON', () => '{"a":'],
    ['has a trailing comma', () => good().replace('}', ',}')],
    ['has a comment', () => `${good()} // soon`],
    ['is two documents', () => good() + good()],
    ['is white space', () => '  '],
    ['is not UTF-8', () => Buffer.concat([Buffer.from(`{"${name}":"`), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])],
    ['is UTF-16, little-endian', () => utf16(good())],
    ['is UTF-16, big-endian', () => utf16(good()).swap16()],
    ['is compressed without Content-Encoding', () => gzipSync(good())],
    ['has a raw control character', () => withText('a\nb')],
  ])('that %s is rejected as invalid JSON', async (_, body) => {
    const { status, body: reply } = await send(path, body(), JSON_TYPE);
    expect([status, reply.error]).toEqual([400, 'BAD_REQUEST: The body is not valid JSON in UTF-8.']);
  });

  it.each<[string, string]>([
    ['a list', '[]'],
    ['a list of objects', '[{}]'],
    ['a number', '1'],
    ['a text', '"a"'],
    ['null', 'null'],
    ['true', 'true'],
    ['100,000 nested lists', `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`],
  ])('that is %s is rejected because it is not an object', async (_, body) => {
    const { status, body: reply } = await send(path, body, JSON_TYPE);
    expect([status, reply.error]).toEqual([400, 'BAD_REQUEST: The body must be a JSON object.']);
  });

  it.each<[string, () => string]>([
    ['no content', () => ''],
    ['an empty object', () => '{}'],
    ['100,000 nested lists', () => withValue(`${'['.repeat(DEEP)}${']'.repeat(DEEP)}`)],
    ['100,000 nested objects', () => withValue(`${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`)],
    ['a NUL character', () => withText('a\\u0000b')],
    ['a text of nearly 1 MiB', () => withText('a'.repeat(MIB - 200))],
  ])('with %s is rejected with the name of the field', async (_, body) => {
    const { status, body: reply } = await send(path, body(), JSON_TYPE);
    expect([status, reply.error]).toEqual([400, expect.stringMatching(`^BAD_REQUEST: ${name} `)]);
    expect(reply.error.length).toBeLessThan(200);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', ''])(
    'with the key %j is rejected with that name',
    async (key) => {
      for (const value of ['null', '{"polluted":true}', '[]']) {
        const { status, body } = await send(path, good().replace('{', `{"${key}":${value},`), JSON_TYPE);
        expect([status, body.error]).toEqual([400, `BAD_REQUEST: "${key}" is not a parameter of this URL.`]);
      }
      expect(({} as { polluted?: true }).polluted).toBeUndefined();
    },
  );

  it('with a repeated name uses the last value', async () => {
    const last = fields();
    const twice = `{"${name}":"first@x.test",${JSON.stringify(last).slice(1)}`;
    const { status, body } = await send(path, twice, JSON_TYPE);
    expect([status, body.data[name]]).toEqual([200, last[name]]);
  });

  it('with a lone surrogate is rejected, because storing it would change the text', async () => {
    const { status, body } = await send(path, withText(`${LONE}${fields()[name]}`), JSON_TYPE);
    expect([status, body.error]).toEqual([400, `BAD_REQUEST: ${name} is not well-formed Unicode.`]);
  });

  it('of more than 1 MiB is rejected, with and without Content-Length', async () => {
    const body = good().padEnd(MIB + 1);
    for (const isChunked of [false, true]) {
      const reply = await send(path, body, JSON_TYPE, isChunked);
      expect([reply.status, reply.body.error]).toEqual([
        413,
        'PAYLOAD_TOO_LARGE: The request body exceeds the limit of 1 MiB.',
      ]);
    }
  });

  it('of more than 1 MiB leaves the connection usable', async () => {
    const [refused, next] = await postThenGetHealth(service.url + path, Buffer.alloc(3 * MIB), {
      ...credentials,
      ...JSON_TYPE,
    });
    expect([refused.status, next.status]).toEqual([413, 200]);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json ; charset=UTF-8',
  ])('of the type %s is accepted', async (type) => {
    expect((await send(path, good(), { 'content-type': type })).status).toBe(200);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'application/jsonp',
    'application/problem+json',
    '*/*',
  ])('of the type %s is rejected', async (type) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const { status, body } = await send(path, good(), headers);
    expect([status, body.error]).toEqual([
      ...[415, 'UNSUPPORTED_MEDIA_TYPE: The body must be application/json in UTF-8.'],
    ]);
  });

  it.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['gzip, identity', gzipSync],
    ['unheard-of', Buffer.from],
  ])('in the encoding %s is rejected', async (encoding, encode) => {
    const { status, body } = await send(path, encode(good()), { ...JSON_TYPE, 'content-encoding': encoding });
    expect([status, body.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE: The body must not be compressed.']);
    expect((await send(path, good(), { ...JSON_TYPE, 'content-encoding': 'identity' })).status).toBe(200);
  });

  it('that is truncated is rejected and has no effect', async () => {
    const body = good();
    const head = Object.entries({ host: 'a', ...credentials, ...JSON_TYPE, 'content-length': body.length + 1 })
      .map(([header, value]) => `${header}: ${value}\r\n`)
      .join('');
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
    await send(path, good(), JSON_TYPE); // Time in which the service begins to wait for the missing byte.
    socket.end();
    const reply = await text(socket);
    await send(path, good(), JSON_TYPE); // Time in which a faulty service would create a row.
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toMatch(/\r\n\r\n\{"error":"BAD_REQUEST: /);
    const made = (): Promise<object[]> =>
      queryAsOwner(service, `select 1 from ${table} where $1::json->>$2 = ${column}`, [body, name]);
    expect(await made()).toEqual([]);
    expect((await send(path, body, JSON_TYPE)).status).toBe(200);
    expect(await made()).toHaveLength(1);
  });

  it('with a query parameter is rejected', async () => {
    for (const query of [`${name}=a`, 'limit=1', 'x']) {
      const { status, body } = await send(`${path}?${query}`, good(), JSON_TYPE);
      const parameter = query.split('=')[0];
      expect([status, body.error]).toEqual([400, `BAD_REQUEST: "${parameter}" is not a parameter of this URL.`]);
    }
  });
});

const TOO_DEEP = 'A JSON value may nest at most 64 levels.';

const postJson = (path: string, body: string): Promise<Reply> =>
  owner.request(path, { method: 'POST', headers: JSON_TYPE, body });

/**
 * Builds the arrays as text, because `JSON.stringify` fails for large depths. `levels` includes the object around the
 * arrays.
 */
function postNested(path: string, fields: object, name: string, levels: number): Promise<Reply> {
  const value = `{"value":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  return postJson(path, JSON.stringify({ ...fields, [name]: 0 }).replace(`"${name}":0`, `"${name}":${value}`));
}

describe('a JSON value in a request', () => {
  it.each(['authenticationConfig', 'ingestionConfig'])('bounds the depth of %s', async (name) => {
    const offer = await anApiKeyConnection(owner);
    for (const levels of [65, 5_000]) {
      const { status, body } = await postNested('/api/connectors', offer, name, levels);
      expect([status, body.error]).toEqual([400, `BAD_REQUEST: ${name} is invalid: ${TOO_DEEP}`]);
    }
    const { body } = await postNested('/api/connectors', offer, name, 64);
    expect(body.error).toBe(`BAD_REQUEST: ${name} has no field "value".`);
  });

  it('bounds the depth of params', async () => {
    const path = '/api/connectors/connector-oauth-complete';
    const { status, body } = await postNested(path, { state: 'a', code: 'b' }, 'params', 5_000);
    expect([status, body.error]).toEqual([400, `BAD_REQUEST: params is invalid: ${TOO_DEEP}`]);
    const { headers } = await postNested(path, { state: 'a', code: 'b' }, 'params', 64);
    expect(headers.get('x-error-code')).toBe('OAUTH_STATE_INVALID');
  });

  it('bounds the depth of GraphQL variables', async () => {
    const query = `mutation ($params: JSONObject) { connectorOauthComplete(state: "a", params: $params) { credentialMetadataId } }`;
    const levels = `${'['.repeat(4_999)}${']'.repeat(4_999)}`;
    const request = JSON.stringify({ query, variables: { params: { value: 0 } } });
    const { body } = await postJson('/graphql', request.replace('"value":0', `"value":${levels}`));
    expect(body.errors).toEqual([{ message: `$params is invalid: ${TOO_DEEP}`, extensions: { code: 'BAD_REQUEST' } }]);
  });
});
