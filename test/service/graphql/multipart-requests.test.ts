import { describe, expect, it } from 'vitest';
import { artifactRows, PEOPLE_CSV } from '../../support/artifacts/artifact-requests.js';
import { waitUntil } from '../../support/database/test-jobs.js';
import { multipartBody, multipartPart } from '../../support/servers/form-server.js';
import { RawClient } from '../../support/service/raw-client.js';
import { aService, type Client, type Reply } from '../../support/service/service.js';

const MIB = 1024 * 1024;
const TYPE = 'multipart/form-data; boundary=b';
const service = aService({ MAX_UPLOAD_BYTES: String(MIB) });
const editor = service.as('editor');
const QUERY = 'mutation ($file: Upload!) { uploadArtifact(file: $file) { artifact { fileName } } }';

const operations = (body: object = {}): string =>
  multipartPart('operations', JSON.stringify({ query: QUERY, variables: { file: null }, ...body }));
const MAP = multipartPart('map', '{"0":["variables.file"]}');
const FILE = multipartPart('0', PEOPLE_CSV, 'people.csv');
/** So large that the response starts before the request ends. */
const LONG = multipartPart('0', `a,b\n${'1,2\n'.repeat(150_000)}`, 'long.csv');

function send(body: string, client: Client = editor, headers = {}): Promise<Reply> {
  return client.request('/graphql', { method: 'POST', headers: { 'content-type': TYPE, ...headers }, body });
}

describe('an operation with a file', () => {
  it('is executed with a bearer token and no other header', async () => {
    const { status, body } = await send(multipartBody(operations(), MAP, FILE));
    expect([status, body]).toEqual([200, { data: { uploadArtifact: { artifact: { fileName: 'people.csv' } } } }]);
  });

  it.each([
    ['nobody', 401, () => service],
    ['an anonymous caller with a preflight header', 401, () => service],
    ['a caller of another workspace', 403, () => service.as('editor', { named: 'other' })],
  ])('of %s is rejected before its body is read', async (who, status, client) => {
    const preflight = who.includes('header') ? { 'apollo-require-preflight': 'true' } : {};
    const reply = await send('', client(), preflight);
    expect(reply.status).toBe(status);
  });

  it('of an anonymous caller is rejected before its body has arrived', async () => {
    const client = new RawClient(`${service.url}/graphql`, { 'content-type': TYPE, 'content-length': 1_000 });
    await waitUntil(() => client.status !== undefined);
    expect(client.received).toMatch(/^HTTP\/1\.1 401 [\s\S]+\{"error":"UNAUTHENTICATED: /);
    client.socket.destroy();
  });

  const map = (text: string): string => multipartBody(operations(), multipartPart('map', text), FILE);

  it.each<[string, string, string]>([
    ['without operations', multipartBody(MAP, FILE), 'The form part `operations` is not valid JSON in UTF-8.'],
    [
      'with operations that are not JSON',
      multipartBody(multipartPart('operations', '{'), MAP, FILE),
      'The form part `operations` is not valid JSON in UTF-8.',
    ],
    [
      'with a list of operations',
      multipartBody(multipartPart('operations', '[]'), MAP, FILE),
      'The form part `operations` must be a JSON object.',
    ],
    [
      'with operations over 1 MiB',
      multipartBody(multipartPart('operations', ' '.repeat(MIB + 1)), MAP, FILE),
      'operations exceeds the limit of 1 MiB.',
    ],
    ['without a map', multipartBody(operations(), FILE), 'The form part `map` is not valid JSON in UTF-8.'],
    ['with its map after the file', multipartBody(operations(), FILE, MAP), 'map must precede the file.'],
    ['with an empty map', map('{}'), '`map` must name exactly one file and exactly one variable.'],
    [
      'with a map of two files',
      map('{"0":["variables.file"],"1":["variables.b"]}'),
      '`map` must name exactly one file and exactly one variable.',
    ],
    [
      'with one file for two variables',
      map('{"0":["variables.file","variables.b"]}'),
      '`map` must name exactly one file and exactly one variable.',
    ],
    ['with a map to a number', map('{"0":[1]}'), '`map` must name exactly one file and exactly one variable.'],
    [
      'with a map to a string',
      map('{"0":"variables.file"}'),
      '`map` must name exactly one file and exactly one variable.',
    ],
    [
      'with a map to a missing variable',
      map('{"0":["variables.b"]}'),
      '`map` must name a variable that is null in `operations`.',
    ],
    ['with a map to the query', map('{"0":["query"]}'), '`map` must name a variable that is null in `operations`.'],
    [
      'with a map to all variables',
      map('{"0":["variables"]}'),
      '`map` must name a variable that is null in `operations`.',
    ],
    [
      'with a map to a prototype',
      map('{"0":["variables.__proto__.__proto__"]}'),
      '`map` must name a variable that is null in `operations`.',
    ],
    [
      'with a map to a variable with a value',
      multipartBody(operations({ variables: { file: 1 } }), MAP, FILE),
      '`map` must name a variable that is null in `operations`.',
    ],
    [
      'with a file that is not in the map',
      multipartBody(operations(), MAP, multipartPart('1', '', 'a')),
      'The name of the file part differs from the name in `map`.',
    ],
    [
      'with an unknown field',
      multipartBody(operations(), MAP, multipartPart('a', ''), FILE),
      '"a" is not a text part of this form.',
    ],
  ])('%s is rejected', async (_, body, message) => {
    const { status, body: reply } = await send(body);
    expect([status, reply]).toEqual([400, { error: `BAD_REQUEST: ${message}` }]);
  });

  it('without its file is rejected', async () => {
    const { status, body } = await send(multipartBody(operations(), MAP));
    expect([status, body.error]).toEqual([422, 'WA-AF-015: The file part that `map` names is missing.']);
  });

  it.each<[string, string, string]>([
    [
      'two files',
      multipartBody(operations(), MAP, LONG, multipartPart('1', 'a', 'a')),
      'The form has more than one file. Send one file.',
    ],
    [
      'no last boundary',
      multipartBody(operations(), MAP, LONG).slice(0, -9),
      'The form is malformed or ends before its last boundary.',
    ],
  ])('with %s stores nothing', async (_, body, message) => {
    const before = await artifactRows(service);
    const reply = await send(body);
    expect(reply.body.errors).toMatchObject([{ message, extensions: { code: 'BAD_REQUEST' } }]);
    expect(await artifactRows(service)).toEqual(before);
  });

  it.each<[string, object, number]>([
    ['with a syntax error', { query: '{' }, 200],
    ['with an unknown field', { query: 'mutation ($file: Upload!) { nothing(file: $file) }' }, 200],
    ['that does not read its file', { query: 'query ($file: Upload) { __typename @skip(if: false) me { id } }' }, 200],
    ['that does not use its file', { query: '{ me { name } }' }, 200],
  ])('%s gets a response immediately, before the rest of its 8 MiB arrives', async (_, body, status) => {
    const head = { authorization: `Bearer ${await service.tokenOf('editor')}`, 'x-tenant': 'demo' };
    const client = new RawClient(`${service.url}/graphql`, {
      ...head,
      'content-type': TYPE,
      'content-length': 8 * MIB,
    });
    await client.send(`${operations(body)}${MAP}${FILE}`);
    await waitUntil(() => client.status !== undefined);
    expect(client.status).toBe(status);
    await client.send('a'.repeat(MIB), 6);
    expect(client.isReset).toBe(false);
    client.socket.destroy();
  });

  it('above the maximum file size is rejected during the upload', async () => {
    const file = multipartPart('0', `a,b\n${'1,2\n'.repeat(MIB)}`, 'a.csv');
    const { body } = await send(multipartBody(operations(), MAP, file));
    expect(body.errors).toMatchObject([{ extensions: { code: 'WA-AF-012' } }]);
  });
});

describe('an operation without a file', () => {
  it('cannot pass a file as JSON', async () => {
    const { body } = await editor.graphql(QUERY, { file: { name: 'a.csv', length: 1 } });
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
    expect(JSON.stringify(body)).not.toContain('a.csv');
  });

  it('from another site is rejected without a bearer token and preflight header', async () => {
    const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"{ __typename }"}' };
    expect((await service.request('/graphql', plain)).status).toBe(400);
    expect((await service.request('/graphql?query={__typename}')).status).toBe(400);
  });
});
