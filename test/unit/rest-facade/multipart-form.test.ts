import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FormServer, multipartBody, multipartPart, readWholeForm } from '../../support/servers/form-server.js';

let server: FormServer;

beforeEach(async () => {
  server = new FormServer();
  await server.start();
});

afterEach(() => server.stop());

const DATA = multipartPart('data', '{}');
const MORE = multipartPart('more', '1');
const TOO_MANY = { error: 'The form has too many parts. Send each text field at most once, and one file.' };
const TOO_LONG = { error: 'data exceeds the limit of 1,000 bytes.', part: 'data' };
const TOO_MUCH = { error: 'The boundaries and part headers of the form exceed the limit of 128 KiB.' };
const CUT_SHORT = 'The form is malformed or ends before its last boundary.';
const FILE = multipartPart('file', 'a,b\r\n1,2', 'a.csv');

describe('a form', () => {
  it('is passed to the work with its text fields and its file', async () => {
    const form = new FormData();
    form.append('data', '{"path":"/a"}');
    form.append('file', new Blob(['a,b\n', '1,2\n'], { type: 'text/csv' }), 'numbers.csv');
    const reply = await fetch(server.url, { method: 'POST', body: form });
    expect(await reply.json()).toEqual({
      texts: { data: '{"path":"/a"}' },
      file: {
        ...{ fieldName: 'file', filename: 'numbers.csv', mimetype: 'text/csv', encoding: '7bit' },
        content: 'a,b\n1,2\n',
      },
    });
  });

  it('accepts a text field that is sent as a file part, as browsers send a Blob', async () => {
    const form = new FormData();
    form.append('data', new Blob(['{"path":"/ä"}'], { type: 'application/json' }));
    form.append('file', new Blob(['a']), 'a.csv');
    const reply = await fetch(server.url, { method: 'POST', body: form });
    expect(await reply.json()).toMatchObject({ texts: { data: '{"path":"/ä"}' }, file: { content: 'a' } });
  });

  it('is passed to the work as soon as the file begins', async () => {
    const begun = Promise.withResolvers<void>();
    server.work = (form) => {
      begun.resolve();
      return readWholeForm(form);
    };
    const body = multipartBody(DATA, FILE);
    const socket = server.connect();
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.slice(0, -12));
    await begun.promise;
    expect(server.pending).toBe(1);
    socket.write(body.slice(-12));
    await new Promise((resolve) => socket.on('close', resolve).resume());
    expect(server.outcomes).toMatchObject([{ file: { content: 'a,b\r\n1,2' } }]);
  });
});

describe('rejects a form', () => {
  const blob = (content: string): string => multipartPart('data', content, 'blob');

  it.each<[string, string, object]>([
    [
      'with a second file',
      multipartBody(DATA, FILE, FILE),
      { error: 'The form has more than one file. Send one file.', part: 'file' },
    ],
    ['with a second file of another name', multipartBody(DATA, FILE, multipartPart('x', '', 'x')), { part: 'x' }],
    ['with a text after the file', multipartBody(FILE, DATA), { error: 'data must precede the file.', part: 'data' }],
    ['with a text again after the file', multipartBody(DATA, FILE, DATA), { error: 'data is given more than once.' }],
    ['with a text that is sent as a file after it', multipartBody(FILE, blob('{}')), { part: 'data' }],
    ['with an unknown text after the file', multipartBody(DATA, FILE, multipartPart('x', '')), { part: 'x' }],
    ['with an additional part without a name', multipartBody(DATA, MORE, FILE, '--b\r\nA: b\r\n\r\n\r\n'), TOO_MANY],
    ['with a text twice', multipartBody(DATA, DATA, FILE), { error: 'data is given more than once.', part: 'data' }],
    ['with a text twice, once as a file', multipartBody(blob('{}'), DATA, FILE), { part: 'data' }],
    [
      'with an unknown text',
      multipartBody(multipartPart('x', '1'), FILE),
      { error: '"x" is not a text part of this form.', part: 'x' },
    ],
    [
      'with a text without a name',
      multipartBody(multipartPart('', '1')),
      { error: '"" is not a text part of this form.' },
    ],
    [
      'with a text named like an object property',
      multipartBody(multipartPart('__proto__', '1')),
      { part: '__proto__' },
    ],
    ['with a file without a file name', multipartBody(DATA, multipartPart('file', 'a,b')), { part: 'file' }],
    ['with a file with an empty file name', multipartBody(DATA, multipartPart('file', 'a,b', '')), { part: 'file' }],
    ['with a text that is too long', multipartBody(multipartPart('data', 'a'.repeat(1_001))), TOO_LONG],
    ['with a text that is too long, as a file', multipartBody(blob('a'.repeat(1_001))), TOO_LONG],
    ['with a text that is too long in bytes', multipartBody(multipartPart('data', 'ä'.repeat(501))), TOO_LONG],
    ['with a text without an end', multipartPart('data', 'a'.repeat(100_000)), { error: CUT_SHORT }],
    ['without its last boundary', multipartBody(DATA, FILE).slice(0, -6), { error: CUT_SHORT }],
    ['that ends within a header', multipartBody(DATA, FILE).slice(0, 30), { error: CUT_SHORT }],
    ['with an empty body', '', { error: CUT_SHORT }],
    ['with another boundary', multipartBody(DATA, FILE).replaceAll('--b', '--c'), { error: CUT_SHORT }],
    ['with 100,000 parts', multipartBody(...Array(100_000).fill('--b\r\nA: b\r\n\r\n\r\n')), TOO_MANY],
    [
      'with 100,000 parts after the file',
      multipartBody(FILE, ...Array(100_000).fill('--b\r\nA: b\r\n\r\n\r\n')),
      TOO_MANY,
    ],
    ['with a huge header', `--b\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`, { error: CUT_SHORT }],
    ['with 3,000 headers', multipartBody(`--b\r\n${'A: b\r\n'.repeat(3_000)}\r\n\r\n`), { error: CUT_SHORT }],
    ['with an invalid header', multipartBody('--b\r\n\u0001\r\n\r\n\r\n'), { error: CUT_SHORT }],
    ['with a long preamble', 'a'.repeat(500_000) + multipartBody(DATA, FILE), TOO_MUCH],
    ['with a long epilogue', multipartBody(DATA, FILE) + 'a'.repeat(500_000), TOO_MUCH],
    [
      'with a long text in a part without a name',
      multipartBody(`--b\r\nA: b\r\n\r\n${'a'.repeat(500_000)}\r\n`, FILE),
      TOO_MUCH,
    ],
  ])('%s', async (_, body, refusal) => {
    expect(await server.send(body)).toMatchObject(refusal);
    expect(server.pending).toBe(0);
  });

  it.each(['utf-16', 'made-up'])('with a text field in %s', async (charset) => {
    const part = DATA.replace('\r\n\r\n', `\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`);
    expect(await server.send(multipartBody(part.replace('{}', '\ud800\udc00{"a"'), FILE))).toMatchObject({
      part: 'data',
    });
  });

  it('with a text field that is not UTF-8', async () => {
    const body = Buffer.from(multipartBody(multipartPart('data', '{"path":"\xe4"}'), FILE), 'latin1');
    expect(await server.send(body)).toMatchObject({ error: 'data is not valid UTF-8.', part: 'data' });
  });
});

describe('an invalid form', () => {
  it('throws the error of the form instead of the error of the work that reads its file', async () => {
    server.work = async (form) => {
      await readWholeForm(form).catch(() => {
        throw new Error('The disk is broken.');
      });
    };
    expect(await server.send(multipartBody(DATA, multipartPart('file', 'a'.repeat(200_000), 'a'), DATA))).toMatchObject(
      {
        part: 'data',
      },
    );
  });

  it('keeps the error of work that stopped reading the file earlier', async () => {
    server.work = async ({ file }, request) => {
      file?.bytes.destroy();
      await once(request, 'end'); // The server discards the rest of the request.
      throw new Error('No space.');
    };
    const body = multipartBody(DATA, multipartPart('file', 'a'.repeat(200_000), 'a'), DATA);
    expect(await server.send(body)).toEqual({ error: 'No space.' });
  });
});

describe('rejects a body that is not a form', () => {
  it.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain; boundary=b',
    'multipart/mixed; boundary=b',
    'multipart/form-data',
    'multipart/form-data; boundary',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-data; x; boundary=b',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
  ])('of type %s', async (type) => {
    expect(await server.send(multipartBody(DATA, FILE), type)).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it('with a content coding', async () => {
    const reply = await server.send(multipartBody(DATA, FILE), undefined, { 'content-encoding': 'gzip' });
    expect(reply).toMatchObject({ error: 'The body must not be compressed.', code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});

describe('accepts a form', () => {
  const whole = { texts: { data: '{}' }, file: { filename: 'a.csv', content: 'a,b\r\n1,2' } };

  it.each<[string, string, string | undefined]>([
    ['with an uppercase media type', multipartBody(DATA, FILE), 'Multipart/Form-Data; charset=utf-8; Boundary="b"'],
    ['with preamble and epilogue', `hello\r\n${multipartBody(DATA, FILE)}bye`, undefined],
    ['with white space after the last boundary', `${multipartBody(DATA, FILE)}\r\n\r\n`, undefined],
  ])('%s', async (_, body, type) => {
    expect(await server.send(body, type)).toMatchObject(whole);
  });

  it('without a file, and with an empty file', async () => {
    expect(await server.send(multipartBody(DATA))).toEqual({ texts: { data: '{}' } });
    expect(await server.send(multipartBody(DATA, multipartPart('file', '', 'a')))).toMatchObject({
      file: { filename: 'a', content: '' },
    });
  });

  it('with boundary-like text and every byte value in its file', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1');
    const content = `${bytes}\r\n--\r\n--B\r\n-b--\r\n--a--\r\n\r\n--`;
    const body = Buffer.from(multipartBody(DATA, multipartPart('file', content, 'a')), 'latin1');
    expect(await server.send(body)).toMatchObject({ file: { content } });
  });

  it('one byte at a time', async () => {
    const body = multipartBody(DATA, FILE);
    const socket = server.connect();
    socket.setNoDelay(true);
    const head = `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\nConnection: close`;
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`);
    for (const byte of body) {
      socket.write(byte);
      await new Promise(setImmediate);
    }
    await new Promise((resolve) => socket.on('close', resolve).resume());
    expect(server.outcomes).toMatchObject([whole]);
  });

  it.each([
    ['/etc/passwd', '/etc/passwd'],
    ['..\\..\\a.csv', '..\\..\\a.csv'],
    ['C:\\a\\b.csv', 'C:\\a\\b.csv'],
    ['\u202evsc.exe', '\u202evsc.exe'],
    ['a%20b%00.csv', 'a%20b%00.csv'],
    ['\u00fcber \u{1f4c8}.csv', '\u00fcber \u{1f4c8}.csv'],
    ['a\\"b.csv', 'a"b.csv'],
  ])('with the unchanged file name %j', async (sent, name) => {
    expect(await server.send(multipartBody(DATA, multipartPart('file', '', sent)))).toMatchObject({
      file: { filename: name },
    });
  });

  it('with a file name in extended notation, which overrides the plain file name', async () => {
    const part = FILE.replace('filename="a.csv"', `filename="a.csv"; filename*=utf-8''%c3%a4%2f.csv`);
    expect(await server.send(multipartBody(DATA, part))).toMatchObject({ file: { filename: '\u00e4/.csv' } });
  });

  it('with a file without a name but with a type', async () => {
    const part = multipartPart('file', 'a').replace('\r\n\r\n', '\r\nContent-Type: application/octet-stream\r\n\r\n');
    expect(await server.send(multipartBody(DATA, part))).toEqual({
      texts: { data: '{}' },
      file: { fieldName: 'file', mimetype: 'application/octet-stream', encoding: '7bit', content: 'a' },
    });
  });
});
