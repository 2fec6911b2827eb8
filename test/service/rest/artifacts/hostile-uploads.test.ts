import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PEOPLE_CSV, UPLOAD_PATH, upload } from '../../../support/artifacts/artifact-requests.js';
import { READ_FILES, REFUSED_FILES, rowsFor } from '../../../support/artifacts/hostile-files.js';
import { storedArtifacts } from '../../../support/artifacts/stored-files.js';
import { streamUpload } from '../../../support/artifacts/streamed-uploads.js';
import { multipartBody, multipartPart } from '../../../support/servers/form-server.js';
import { aService, type Reply } from '../../../support/service/service.js';

const MOST = 16 * 1024 * 1024;
const STATUSES: Record<string, number> = { BAD_REQUEST: 400, 'WA-AF-012': 413, 'WA-AF-013': 415 };

const service = aService({ MAX_UPLOAD_BYTES: String(MOST) });
const editor = service.as('editor');

const PROTOTYPE = Reflect.ownKeys(Object.prototype);
let before: Awaited<ReturnType<typeof storedArtifacts>>;

beforeEach(async () => {
  before = await storedArtifacts(service);
});

afterEach(async () => {
  expect(Reflect.ownKeys(Object.prototype)).toEqual(PROTOTYPE);
  expect((await service.request('/readyz')).status).toBe(200);
});

async function expectRefusal({ status, headers, body }: Reply, code: string): Promise<void> {
  expect([status, headers.get('x-error-code'), body]).toEqual([
    STATUSES[code] ?? 422,
    code,
    { error: expect.stringMatching(new RegExp(`^${code}: `)) },
  ]);
  expect(await storedArtifacts(service)).toEqual(before);
}

/** `body` has the boundary `b`. Each character becomes one byte. */
const sendText = (body: string): Promise<Reply> => {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  return editor.request(UPLOAD_PATH, { method: 'POST', body: Buffer.from(body, 'latin1'), headers });
};

/** Yields a line of `mebibytes` MiB. The line ends only after `mayEnd` resolves. */
async function* longLine(mebibytes: number, mayEnd?: Promise<void>): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < mebibytes; sent++) yield Buffer.alloc(1024 * 1024, 'a');
  await mayEnd;
}

const exactly = (bytes: number): string => `${rowsFor(bytes).slice(0, bytes - 1)}\n`;

const DATA = multipartPart('data', '{}');
const FILE = multipartPart('file', PEOPLE_CSV, 'people.csv');

describe('a file that is not a table', () => {
  it.each(REFUSED_FILES)('is rejected: %s', async (_, content, code, name = 'people.csv') => {
    await expectRefusal(await upload(editor, { name, content }), code);
  });

  it('is rejected from its head, before the rest has arrived', async () => {
    const { promise: isAnswered, resolve } = Promise.withResolvers<void>();
    const reply = await streamUpload(editor, longLine(8, isAnswered));
    resolve();
    await expectRefusal(reply, 'WA-AF-010');
  });

  it('is rejected at any size', async () => {
    await expectRefusal(await streamUpload(editor, longLine(100)), 'WA-AF-010');
  });
});

describe('a file that only looks like an attack', () => {
  it.each(READ_FILES)('is read as documented: %s', async (_, content, encoding, names, row) => {
    const { status, body } = await upload(editor, { content });
    expect([status, body.error]).toEqual([200, undefined]);
    const { dialect, fields } = body.data.artifact.dataSchema;
    const named = fields.slice(0, names.length).map(({ name }: { name: string }) => name);
    expect([dialect.encoding, named]).toEqual([encoding, names]);
    const [first] = body.data.sampleRows;
    expect(names.map((name) => Object.getOwnPropertyDescriptor(first, name)?.value)).toEqual(row);
  });
});

describe('the size limit', () => {
  it('can be reached exactly', async () => {
    const { body } = await upload(editor, { content: exactly(MOST) });
    expect(body.data.artifact).toMatchObject({ fileSize: MOST, uploadStatus: 'ready' });
  });

  it('cannot be exceeded by one byte if the file comes first', async () => {
    const first = (bytes: number) => sendText(multipartBody(multipartPart('file', exactly(bytes), 'people.csv'), DATA));
    await expectRefusal(await first(MOST + 1), 'WA-AF-012');
    expect((await first(MOST)).body.data.artifact.fileSize).toBe(MOST);
  });

  it('cannot be exceeded by one byte', async () => {
    await expectRefusal(await upload(editor, { content: exactly(MOST + 1) }), 'WA-AF-012');
  });
});

describe('a malformed form', () => {
  it.each([
    ['data twice', DATA + DATA + FILE, 'WA-AF-014'],
    ['data twice, around the file', DATA + FILE + DATA, 'WA-AF-014'],
    ['data twice, after the file', FILE + DATA + DATA, 'WA-AF-014'],
    ['data that is not JSON, after the file', FILE + multipartPart('data', '{'), 'WA-AF-014'],
    ['two files before the data', FILE + FILE + DATA, 'WA-AF-015'],
    ['an unknown part, after the file', FILE + multipartPart('more', '1'), 'BAD_REQUEST'],
    ['no file', DATA, 'WA-AF-015'],
    ['two files', DATA + FILE + FILE, 'WA-AF-015'],
    ['a file without name and content', DATA + multipartPart('file', '', ''), 'WA-AF-015'],
    ['nothing', '', 'WA-AF-015'],
    ['a file in another part', DATA + multipartPart('upload', PEOPLE_CSV, 'people.csv'), 'BAD_REQUEST'],
    ['an unknown part', DATA + multipartPart('more', '1') + FILE, 'BAD_REQUEST'],
  ])('is rejected: %s', async (_, parts, code) => {
    await expectRefusal(await sendText(multipartBody(parts)), code);
  });

  it('is rejected if truncated', async () => {
    await expectRefusal(await sendText(DATA + FILE), 'BAD_REQUEST');
  });

  it.each([
    ['not JSON', '{"path":'],
    ['empty', ''],
    ['an array', '[]'],
    ['a number', '1'],
    ['null', 'null'],
    ['an unknown field', '{"size":1}'],
    ['__proto__', '{"__proto__":{"path":"/a"}}'],
    ['a name that is a number', '{"fileName":1}'],
    ['a path that is a list', '{"path":["/a"]}'],
    ['the file as a field', '{"file":"people.csv"}'],
    ['not UTF-8', '{"path":"/\xff"}'],
    ['more than 64 KiB', `{"path":"/${'a'.repeat(65_536)}"}`],
    ['7,000 levels deep', `${'{"path":'.repeat(7_000)}1${'}'.repeat(7_000)}`],
  ])('is rejected: its data is %s', async (_, data) => {
    await expectRefusal(await sendText(multipartBody(multipartPart('data', data), FILE)), 'WA-AF-014');
  });
});

describe('an invalid file name', () => {
  const NAMES: [what: string, name: string][] = [
    ['a parent path', '../people.csv'],
    ['an absolute path', '/etc/people.csv'],
    ['a Windows path', 'C:\\people.csv'],
    ['two dots', '..'],
    ['a NUL', 'people\0.csv'],
    ['a line break', 'people\n.csv'],
    ['a right-to-left override', 'people\u202evsc.exe'],
    ['300 characters', `${'a'.repeat(296)}.csv`],
    ['a lone surrogate', 'people \ud800.csv'],
    ['nothing', ''],
  ];

  it.each(NAMES)('is rejected in the data: %s', async (_, fileName) => {
    await expectRefusal(await upload(editor, { data: { fileName } }), 'WA-AF-014');
  });

  it.each([
    ['a parent path', '../people.csv'],
    ['an absolute path', '/etc/people.csv'],
    ['a right-to-left override', '\xe2\x80\xaevsc.exe'],
    ['300 characters', `${'a'.repeat(296)}.csv`],
  ])('is rejected in the part: %s', async (_, name) => {
    await expectRefusal(await sendText(multipartBody(DATA, multipartPart('file', PEOPLE_CSV, name))), 'WA-AF-014');
  });

  it('is rejected in the part: a NUL', async () => {
    await expectRefusal(
      await sendText(multipartBody(DATA, multipartPart('file', PEOPLE_CSV, 'people\0.csv'))),
      'BAD_REQUEST',
    );
  });

  it('is decoded in the part with a replacement character: a lone surrogate', async () => {
    const { body } = await sendText(multipartBody(DATA, multipartPart('file', PEOPLE_CSV, 'people \xed\xa0\x80.csv')));
    expect(body.data.artifact.fileName).toBe('people \ufffd\ufffd\ufffd.csv');
  });

  it.each(['/a/../b', '/a//b', 'a', '/a/', '/\0', '/\u202e', `/${'a'.repeat(1_024)}`])(
    'is rejected as a path: %.20j',
    async (path) => {
      await expectRefusal(await upload(editor, { data: { path } }), 'WA-AF-014');
    },
  );
});

describe('uploads over GraphQL', () => {
  const QUERY = `mutation ($file: Upload!, $fileName: String) {
    uploadArtifact(file: $file, fileName: $fileName) { artifact { id } }
  }`;

  it.each<[what: string, file: File, fileName: string | undefined, code: string]>([
    ['nothing', new File([''], 'people.csv'), undefined, 'WA-AF-001'],
    ['NULs', new File([new Uint8Array(5_000)], 'people.csv'), undefined, 'WA-AF-004'],
    ['CSV called .xlsx', new File([PEOPLE_CSV], 'people.xlsx'), undefined, 'WA-AF-013'],
    ['a parent path', new File([PEOPLE_CSV], 'people.csv'), '../people.csv', 'WA-AF-014'],
    ['a lone surrogate', new File([PEOPLE_CSV], 'people.csv'), 'people \ud800.csv', 'WA-AF-014'],
    ['one byte above the limit', new File([exactly(MOST + 1)], 'people.csv'), undefined, 'WA-AF-012'],
  ])('return the same code: %s', async (_, file, fileName, code) => {
    const { status, body } = await editor.graphql(QUERY, { file, fileName });
    expect([status, body.data, body.errors[0].extensions.code]).toEqual([200, { uploadArtifact: null }, code]);
    expect(await storedArtifacts(service)).toEqual(before);
  });
});
