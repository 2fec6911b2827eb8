import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/kernel/ids.js';
import { artifactRows, PEOPLE_CSV, UPLOAD_PATH, upload } from '../../../support/artifacts/artifact-requests.js';
import { storedArtifacts } from '../../../support/artifacts/stored-files.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { multipartBody, multipartPart } from '../../../support/servers/form-server.js';
import { RawClient } from '../../../support/service/raw-client.js';
import { aService, type Reply } from '../../../support/service/service.js';

const MIB = 1024 * 1024;
const TYPE = 'multipart/form-data; boundary=b';
const service = aService({ MAX_UPLOAD_BYTES: String(MIB) });
const editor = service.as('editor');

const DATA = multipartPart('data', '{}');
const FILE = multipartPart('file', PEOPLE_CSV, 'people.csv');
let head: Record<string, string | number>;

beforeAll(async () => {
  head = { authorization: `Bearer ${await service.tokenOf('editor')}`, 'x-tenant': 'demo', 'content-type': TYPE };
});

function send(body: string, path = UPLOAD_PATH, headers = {}): Promise<Reply> {
  return editor.request(path, { method: 'POST', headers: { 'content-type': TYPE, ...headers }, body });
}

describe('an unauthorized upload', () => {
  it.each([
    ['without a token', 401, async () => ({})],
    ['without a permission', 403, async () => ({ authorization: `Bearer ${await service.tokenOf('viewer')}` })],
    ['with an invalid Idempotency-Key', 400, async () => ({ ...head, 'idempotency-key': 'a b' })],
  ])('%s is rejected before its body is read', async (_, status, credentials) => {
    const client = new RawClient(service.url + UPLOAD_PATH, {
      ...{ 'x-tenant': 'demo', 'content-type': TYPE, 'content-length': MIB },
      ...(await credentials()),
    });
    await waitUntil(() => client.status !== undefined);
    expect(client.status).toBe(status);
    client.socket.destroy();
  });
});

describe('a form for POST /api/artifacts/upload-artifact', () => {
  const named = (data: string): string => multipartBody(multipartPart('data', data), FILE);

  it.each<[string, string, number, string]>([
    ['with data twice', multipartBody(DATA, DATA, FILE), 422, 'WA-AF-014: data is given more than once.'],
    [
      'with data on both sides of the file',
      multipartBody(DATA, FILE, DATA),
      422,
      'WA-AF-014: data is given more than once.',
    ],
    [
      'with data of 65 KiB',
      named(`{"path":"${'a'.repeat(65_536)}"}`),
      422,
      'WA-AF-014: data exceeds the limit of 64 KiB.',
    ],
    ['with data that is not JSON', named('{"path":'), 422, 'WA-AF-014: The data part is not valid JSON in UTF-8.'],
    ['with empty data', named(''), 422, 'WA-AF-014: The data part is not valid JSON in UTF-8.'],
    ['with data that is not an object', named('[]'), 422, 'WA-AF-014: The data part must be a JSON object.'],
    ['with an unknown field', named('{"nothing":1}'), 422, 'WA-AF-014: "nothing" is not a parameter of this URL.'],
    ['with a field of the wrong type', named('{"path":1}'), 422, 'WA-AF-014: path is not a valid String.'],
    ['with a file in the data', named('{"file":null}'), 422, 'WA-AF-014: file is not a valid Upload.'],
    ['with a prototype', named('{"__proto__":{}}'), 422, 'WA-AF-014: "__proto__" is not a parameter of this URL.'],
    ['without a file', multipartBody(DATA), 422, 'WA-AF-015: The file part is missing.'],
    [
      'with two files',
      multipartBody(DATA, FILE, FILE),
      422,
      'WA-AF-015: The form has more than one file. Send one file.',
    ],
    [
      'with a file without a name',
      multipartBody(DATA, multipartPart('file', 'a')),
      422,
      'WA-AF-015: file must be a file with a filename.',
    ],
    [
      'with a file of another part',
      multipartBody(DATA, multipartPart('a', 'a', 'a')),
      400,
      'BAD_REQUEST: The file must be in the part file.',
    ],
    [
      'with an unknown part',
      multipartBody(multipartPart('a', 'a'), DATA, FILE),
      400,
      'BAD_REQUEST: "a" is not a text part of this form.',
    ],
    [
      'that is truncated',
      multipartBody(DATA, FILE).slice(0, -9),
      400,
      'BAD_REQUEST: The form is malformed or ends before its last boundary.',
    ],
  ])('%s is rejected and leaves nothing behind', async (_, body, status, error) => {
    const before = await artifactRows(service);
    const reply = await send(body);
    expect([reply.status, reply.body]).toEqual([status, { error }]);
    expect(reply.headers.get('x-error-code')).toBe(error.split(':')[0]);
    expect(await artifactRows(service)).toEqual(before);
  });

  it.each<[string, string, object]>([
    [
      'with its file before the data',
      multipartBody(FILE, multipartPart('data', '{"path":"/late"}')),
      { path: '/late' },
    ],
    [
      'with a file name in data that comes last',
      multipartBody(FILE, multipartPart('data', '{"fileName":"a.csv"}')),
      { fileName: 'a.csv' },
    ],
    [
      'with data sent last as a file',
      multipartBody(FILE, multipartPart('data', '{"path":"/b"}', 'blob')),
      { path: '/b' },
    ],
    ['without data', multipartBody(FILE), { fileName: 'people.csv', path: null }],
  ])('%s is accepted', async (_, body, expected) => {
    const reply = await send(body);
    const stored = { fileName: 'people.csv', fileSize: Buffer.byteLength(PEOPLE_CSV), uploadStatus: 'ready' };
    expect([reply.status, reply.body.data?.artifact]).toMatchObject([200, { ...stored, ...expected }]);
    const [row] = (await artifactRows(service)).slice(-1);
    expect(row?.sha256).toBe(createHash('sha256').update(PEOPLE_CSV).digest('hex'));
    expect(await readdir(join(service.dataDir, 'landing'))).toEqual([]);
  });

  it('with its file first is rejected during the upload if the file is too large', async () => {
    const client = new RawClient(service.url + UPLOAD_PATH, { ...head, 'content-length': 16 * MIB });
    await client.send(`--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n`);
    await client.send('1,2\n'.repeat(MIB / 4), 8);
    await waitUntil(() => client.status !== undefined);
    expect(client.received).toMatch(/^HTTP\/1\.1 413 [\s\S]+\{"error":"WA-AF-012: /);
    client.socket.destroy();
  });

  it('with a query parameter is rejected', async () => {
    const { status, body } = await send(multipartBody(DATA, FILE), `${UPLOAD_PATH}?path=a`);
    expect([status, body.error]).toEqual([400, 'BAD_REQUEST: "path" is not a parameter of this URL.']);
  });

  it.each(['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'])(
    'of type %s is rejected',
    async (type) => {
      expect((await send(multipartBody(DATA, FILE), UPLOAD_PATH, { 'content-type': type })).status).toBe(415);
    },
  );

  it('that is too large is rejected during the upload', async () => {
    const client = new RawClient(service.url + UPLOAD_PATH, { ...head, 'content-length': 16 * MIB });
    await client.send(`${DATA}--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n`);
    await client.send('1,2\n'.repeat(MIB / 4), 8);
    await waitUntil(() => client.status !== undefined);
    expect(client.received).toMatch(/^HTTP\/1\.1 413 [\s\S]+\{"error":"WA-AF-012: /);
    expect(client.isReset).toBe(false);
    client.socket.destroy();
  });

  it('whose client disconnects leaves nothing behind, not even in the log', async () => {
    const before = await artifactRows(service);
    const client = new RawClient(service.url + UPLOAD_PATH, { ...head, 'content-length': MIB });
    await client.send(`${DATA}--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n`);
    await client.send('1,2\n'.repeat(100_000));
    await waitUntil(async () => (await artifactRows(service)).length > before.length);
    client.socket.destroy();
    await waitUntil(async () => (await artifactRows(service)).length === before.length);
  });
});

describe('an upload under an Idempotency-Key', () => {
  const FIELDS = '{"path":"/keyed"}';
  const aBody = (content: string, name = 'people.csv') =>
    multipartBody(multipartPart('data', FIELDS), multipartPart('file', content, name));
  const outcomeOf = ({ status, headers, body }: Reply) => [
    ...[status, headers.get('idempotency-replayed'), headers.get('x-error-code')],
    body.data?.artifact.id,
  ];

  it('replays the same bytes in any form encoding, and rejects different bytes without storing them', async () => {
    const key = { 'idempotency-key': newId() };
    const first = await send(aBody(PEOPLE_CSV), UPLOAD_PATH, key);
    const { id } = first.body.data.artifact;
    const before = await storedArtifacts(service);
    expect(outcomeOf(await send(aBody(PEOPLE_CSV), UPLOAD_PATH, key))).toEqual([200, 'true', null, id]);
    const framed = { ...key, 'content-type': 'multipart/form-data; boundary=longer' };
    const longer = aBody(PEOPLE_CSV).replaceAll('--b', '--longer');
    expect(outcomeOf(await send(longer, UPLOAD_PATH, framed))).toEqual([200, 'true', null, id]);
    const sameLength = PEOPLE_CSV.replace('Ada', 'Eve');
    for (const other of [aBody(sameLength), aBody(`${PEOPLE_CSV}4,Eve,2000-01-01\n`), aBody(PEOPLE_CSV, 'other.csv')])
      expect(outcomeOf(await send(other, UPLOAD_PATH, key))).toEqual([422, null, 'IDEMPOTENCY_KEY_REUSED', undefined]);
    expect(outcomeOf(await send(aBody('a'.repeat(2 * MIB)), UPLOAD_PATH, key))).toEqual([
      413,
      null,
      'WA-AF-012',
      undefined,
    ]);
    expect(await storedArtifacts(service)).toEqual(before);
  });

  it('rejects a concurrent upload of different bytes, and replays a concurrent upload of the same bytes', async () => {
    const key = { 'idempotency-key': newId() };
    const before = await artifactRows(service);
    const bodies = [PEOPLE_CSV, PEOPLE_CSV.replace('Ada', 'Eve')].flatMap((content) => Array(5).fill(aBody(content)));
    const replies = await Promise.all(bodies.map((body) => send(body, UPLOAD_PATH, key)));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(5).fill(422)]);
    expect((await artifactRows(service)).length).toBe(before.length + 1);
  });

  it('replays only after the bytes have arrived again', async () => {
    const key = { 'idempotency-key': newId() };
    const body = aBody(PEOPLE_CSV);
    const first = await send(body, UPLOAD_PATH, key);
    const again = new RawClient(service.url + UPLOAD_PATH, { ...head, ...key, 'content-length': body.length });
    await again.send(body.slice(0, -40));
    await sleep(300);
    expect(again.received).toBe('');
    await again.send(body.slice(-40));
    await waitUntil(() => again.received.includes('"totalCount"'));
    expect(again.received).toContain('Idempotency-Replayed: true');
    expect(again.received).toContain(first.body.data.artifact.id);
    again.socket.destroy();
  });

  it('can be retried after a truncated request', async () => {
    const key = { 'idempotency-key': newId() };
    expect((await send(multipartBody(DATA, FILE).slice(0, -9), UPLOAD_PATH, key)).status).toBe(400);
    expect((await send(multipartBody(DATA, FILE), UPLOAD_PATH, key)).status).toBe(200);
  });
});

describe('RATE_LIMITS=upload=2', () => {
  const limited = aService({ RATE_LIMITS: 'upload=2' });

  it('counts uploads of a caller over REST and GraphQL together, and no other requests', async () => {
    const client = limited.as('editor');
    for (const left of ['1', '0']) {
      const { status, headers } = await upload(client);
      expect([status, headers.get('ratelimit-remaining')]).toEqual([200, left]);
    }
    const refused = await upload(client);
    const wait = refused.headers.get('retry-after');
    expect([refused.status, refused.body.error]).toEqual([
      429,
      `TOO_MANY_REQUESTS: The limit is 2 uploads per minute. Try again in ${wait} s.`,
    ]);
    expect((await client.request('/api/artifacts')).status).toBe(200);
    expect((await upload(limited.as('admin'))).status).toBe(200);
  });

  it('rejects an upload above the limit before reading its body, in any order of its parts', async () => {
    const operator = { authorization: `Bearer ${await limited.tokenOf('owner')}`, 'x-tenant': 'demo' };
    for (const _ of [1, 2]) await upload(limited.as('owner'));
    const client = new RawClient(limited.url + UPLOAD_PATH, {
      ...operator,
      'content-type': TYPE,
      'content-length': MIB,
    });
    await waitUntil(() => client.status !== undefined);
    expect(client.status).toBe(429);
    client.socket.destroy();
  });
});
