import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { OutboundError, USER_AGENT } from '../../../src/kernel/outbound/outbound-client.js';
import { closed, outboundServers, reasonOf } from '../../support/servers/outbound-servers.js';

const MiB = 1024 * 1024;
const HEAD = 'HTTP/1.1 200 OK\r\n';
const GZIP_HEAD = '\x1f\x8b\x08\0\0\0\0\0\0\x03';

const never = () => new Promise<never>(() => {});

const { seen, atEnd, anOutbound, serve, serveRaw } = outboundServers();

describe('a call', () => {
  it('sends method, headers and body, and returns the response', async () => {
    const url = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      response.writeHead(201, { 'x-reply': ['one', 'two'] }).end(body.reverse());
    });
    const request = { method: 'put', headers: { Authorization: 'secret', Accept: 'text/plain' }, body: 'abc' };
    const reply = await anOutbound().request(`${url}/a%20b?c=d#e`, request);
    expect([reply.status, `${reply.body}`, reply.headers.get('x-reply')]).toEqual([201, 'cba', 'one, two']);
    expect([seen[0]?.method, seen[0]?.url]).toEqual(['PUT', '/a%20b?c=d']);
    expect(seen[0]?.headers).toMatchObject({ authorization: 'secret', accept: 'text/plain', host: url.slice(7) });
  });

  it('sends the User-Agent of the service, including after redirects', async () => {
    const elsewhere = await serve();
    const url = await serve((_, response) => response.writeHead(302, { location: elsewhere }).end());
    await anOutbound().request(url, { method: 'POST', body: 'a' });
    await anOutbound({ userAgent: 'Acme Data' }).request(elsewhere);
    await anOutbound().request(elsewhere, { headers: { 'User-Agent': 'Vendor-Wants/1' } });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(USER_AGENT).toBe(`Taproot/${version}`);
    expect(seen.map(({ headers }) => headers['user-agent'])).toEqual([
      ...[USER_AGENT, USER_AGENT],
      ...['Acme Data', 'Vendor-Wants/1'],
    ]);
  });

  it.each([
    ['a line break', { 'x-a': 'b\r\nx-c: d' }],
    ['a trailing line break', { 'x-a': 'b\n' }],
    ['a NUL', { 'x-a': 'b\0' }],
    ['a line break in a name', { 'x-a\r\nx-c': 'b' }],
    ['a character not allowed in headers', { 'x-a': '→' }],
    ['another host', { Host: 'other.test' }],
    ['another length', { 'content-length': '1' }],
    ['chunks', { 'Transfer-Encoding': 'chunked' }],
    ['an upgrade', { upgrade: 'websocket' }],
  ])('is rejected with %s in its headers', async (_, headers) => {
    expect(await reasonOf(anOutbound().request(await serve(), { headers }))).toBe('request_not_allowed');
    expect(seen).toEqual([]);
  });

  it.each(['CONNECT', 'GET /', 'GET\r\n', ''])('is rejected with the method %j', async (method) => {
    expect(await reasonOf(anOutbound().request(await serve(), { method }))).toBe('request_not_allowed');
    expect(seen).toEqual([]);
  });

  it.each(['GET', 'POST'])('with %s is never retried', async (method) => {
    const url = await serve((request) => request.socket.destroy());
    expect(await reasonOf(anOutbound().request(url, { method }))).toBe('unreachable');
    expect(seen).toHaveLength(1);
  });

  it('ignores proxy settings of the environment', async () => {
    const proxy = await serve();
    const url = await serve((_, response) => response.end('direct'));
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
      const before = process.env[name];
      process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy;
      atEnd(() => (before === undefined ? delete process.env[name] : (process.env[name] = before)));
    }
    expect(`${(await anOutbound().request(url)).body}`).toBe('direct');
    expect(seen).toHaveLength(1);
  });
});

describe('a reply', () => {
  it('may have at most maxBytes bytes', async () => {
    const chunked = await serve((_, response) => response.writeHead(200).write('12345', () => response.end('67890')));
    const counted = await serve((_, response) => response.end('1234567890'));
    for (const url of [chunked, counted]) {
      expect(`${(await anOutbound().request(url, { maxBytes: 10 })).body}`).toBe('1234567890');
      expect(await reasonOf(anOutbound().request(url, { maxBytes: 9 }))).toBe('reply_too_large');
    }
    const large = await serve((_, response) => response.end(Buffer.alloc(MiB + 1)));
    expect(await reasonOf(anOutbound().request(large))).toBe('reply_too_large');
  });

  it.each([
    ['gzip', gzipSync],
    ['br', (data: Buffer) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('compressed with %s is decompressed, and its size counted afterwards', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(16 * MiB));
    expect(bomb.length).toBeLessThan(MiB / 16);
    const send = (data: Buffer) => serve((_, res) => res.setHeader('content-encoding', encoding).end(data));
    expect(await reasonOf(anOutbound().request(await send(bomb)))).toBe('reply_too_large');
    expect((await anOutbound().request(await send(bomb), { maxBytes: 16 * MiB })).body).toHaveLength(16 * MiB);
    const reply = await anOutbound().request(await send(pack(Buffer.from('small'))));
    expect([`${reply.body}`, reply.headers.has('content-encoding')]).toEqual(['small', false]);
    const empty = await anOutbound().request(await send(pack(Buffer.from('x'))), { method: 'HEAD' });
    expect(empty.body).toHaveLength(0);
  });

  it('that arrives byte by byte is complete', async () => {
    const text = Array.from({ length: 5_000 }, (_, i) => String.fromCharCode(97 + (i % 26))).join('');
    const chunks = [...text].map((letter) => `1\r\n${letter}\r\n`).join('');
    const url = await serveRaw((socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`));
    expect(`${(await anOutbound().request(url)).body}`).toBe(text);
  });

  it.each([
    ['is not HTTP', 'broken_reply', 'SSH-2.0-secret\r\n'],
    ['breaks off', 'broken_reply', `${HEAD}content-length: 100\r\n\r\nsecret`],
    ['has chunks without a length', 'broken_reply', `${HEAD}transfer-encoding: chunked\r\n\r\nsecret`],
    ['is compressed incorrectly', 'broken_reply', `${HEAD}content-encoding: gzip\r\n\r\nsecret`],
    ['is compressed twice', 'broken_reply', `${HEAD}content-encoding: gzip, br\r\n\r\nsecret`],
    ['has an unknown encoding', 'broken_reply', `${HEAD}content-encoding: secret\r\n\r\nsecret`],
    ['has too many headers', 'reply_too_large', `${HEAD}${'secret: x\r\n'.repeat(10_000)}\r\n`],
    ['switches protocols', 'unreachable', 'HTTP/1.1 101 secret\r\nupgrade: secret\r\nconnection: upgrade\r\n\r\n'],
    ['is none', 'unreachable', ''],
  ])('that %s fails with %s and is not quoted', async (_, reason, text) => {
    const url = await serveRaw((socket) => socket.end(text));
    const error = await anOutbound()
      .request(url)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutboundError);
    expect(error).toMatchObject({ reason, message: expect.not.stringContaining('secret') });
  });
});

describe('the deadline', () => {
  /** An empty deflate block, which a stream can repeat without end. */
  const nothing = '\0\0\0\xff\xff';
  const drip = (head: string, drop: string) => (socket: Socket) => {
    socket.write(head, 'latin1');
    const timer = setInterval(() => socket.write(drop, 'latin1'), 20);
    socket.on('close', () => clearInterval(timer));
  };

  it.each([
    ['does not resolve', async () => 'http://slow.test/'],
    ['does not complete the TLS handshake', async () => (await serveRaw(() => {})).replace('http:', 'https:')],
    ['does not answer', () => serve(() => {})],
    ['sends its headers byte by byte', () => serveRaw(drip(`${HEAD}x-a: `, 'x'))],
    ['sends its body byte by byte', () => serveRaw(drip(`${HEAD}\r\n`, 'x'))],
    [
      'sends empty compressed blocks without end',
      () => serveRaw(drip(`${HEAD}content-encoding: gzip\r\n\r\n${GZIP_HEAD}`, nothing)),
    ],
    ['redirects slowly', () => serve(async (_, res) => res.writeHead(302, { location: `/${await sleep(80)}` }).end())],
  ])(
    'aborts a call to a host that %s',
    async (_, urlOf) => {
      const url = await urlOf();
      expect(await reasonOf(anOutbound({ lookup: never }).request(url, { timeoutMs: 200 }))).toBe('timeout');
    },
    25_000,
  );
});

describe('a redirect', () => {
  const to = (location: string, status = 302) =>
    serve((request, response) =>
      response.writeHead(request.url === '/end' ? 200 : status, { location }).end(request.method),
    );

  it('is followed at most three times', async () => {
    const hops = await serve((request, response) => {
      const hop = Number(request.url?.slice(1));
      response.writeHead(hop ? 301 : 200, { location: `${hop - 1}` }).end('end');
    });
    const reply = await anOutbound().request(`${hops}/3`);
    expect([`${reply.body}`, reply.url]).toEqual(['end', `${hops}/0`]);
    expect(await reasonOf(anOutbound().request(`${hops}/4`))).toBe('too_many_redirects');
    expect(await reasonOf(anOutbound().request(await to('/')))).toBe('too_many_redirects');
  });

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'DELETE', 'GET'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'PUT', 'PUT'],
  ])('with %i turns %s into %s', async (status, method, then) => {
    const headers = { 'content-type': 'text/plain', authorization: 'secret' };
    await anOutbound().request(await to('/end', status), { method, headers, body: 'abc' });
    const [, last] = seen;
    const { 'content-length': length, 'content-type': type } = last?.headers ?? {};
    expect([last?.method, length, type]).toEqual(
      then === 'GET' ? ['GET', undefined, undefined] : [then, '3', 'text/plain'],
    );
    expect(last?.headers.authorization).toBe('secret');
  });

  it('drops credentials at another origin, even when it redirects back', async () => {
    let back = '';
    const other = await serve((_, response) => response.writeHead(302, { location: `${back}/end` }).end());
    const url = (back = await to(other));
    const secrets = { Authorization: 'secret', Cookie: 'secret', 'X-Api-Key': 'secret' };
    const harmless = { Accept: 'text/plain', 'User-Agent': 'test' };
    expect((await anOutbound().request(url, { headers: { ...secrets, ...harmless } })).status).toBe(200);
    const [first, ...others] = seen;
    expect(first?.rawHeaders.filter((value) => value === 'secret')).toHaveLength(3);
    expect(others.map(({ headers }) => headers.host)).toEqual([new URL(other).host, new URL(url).host]);
    for (const { rawHeaders, headers } of others) {
      expect(rawHeaders).not.toContain('secret');
      expect(headers).toMatchObject({ accept: 'text/plain', 'user-agent': 'test' });
    }
  });

  it.each([302, 307, 308])('with %i does not send a body to another origin', async (status) => {
    const url = await to(`${await serve()}/end`, status);
    const call = anOutbound().request(url, { method: 'PUT', body: 'secret' });
    expect(await reasonOf(call)).toBe('redirect_not_allowed');
    expect(seen).toHaveLength(1);
  });

  it('without a location is returned as the response', async () => {
    const url = await serve((_, response) => response.writeHead(304).end());
    expect((await anOutbound().request(url)).status).toBe(304);
    expect((await anOutbound().request(await serve((_, res) => res.writeHead(302).end('x')))).status).toBe(302);
    expect(await reasonOf(anOutbound().request(await to('file:///etc/passwd')))).toBe('url_not_allowed');
  });
});

describe('a connection', () => {
  it.each([
    ['times out', 'timeout', 200, {}],
    ['has too large a response', 'reply_too_large', 200, { 'x-size': 'large' }],
    ['has an unreadable response', 'broken_reply', 200, { 'content-encoding': 'other' }],
    ['is redirected', 'address_not_allowed', 302, { location: 'http://10.0.0.1/' }],
  ])('is closed when its call %s', async (_, reason, status, headers) => {
    const url = await serve((_, response) => {
      response.writeHead(status, headers).write('x'.repeat('x-size' in headers ? 100 : 10));
    });
    expect(
      await reasonOf(anOutbound().request(url, { maxBytes: 99, timeoutMs: reason === 'timeout' ? 2_000 : 25_000 })),
    ).toBe(reason);
    expect(seen).toHaveLength(1);
    await closed(seen.map(({ socket }) => socket));
  });

  it('ends with its call when the client is closed', async () => {
    const url = await serve((request, response) => request.url === '/' && response.end());
    const silent: Socket[] = [];
    const shaking = await serveRaw((socket) => silent.push(socket));
    const outbound = anOutbound({ lookup: never });
    await outbound.request(url);
    const urls = [`${url}/slow`, shaking.replace('http:', 'https:'), 'http://slow.test/'];
    const calls = urls.map((slow) => reasonOf(outbound.request(slow)));
    while (seen.length + silent.length < 3) await sleep(10);
    await outbound.close();
    expect(await Promise.all(calls)).toEqual(['closed', 'closed', 'closed']);
    await closed([...silent, ...seen.map(({ socket }) => socket)]);
    expect(await reasonOf(outbound.request(url))).toBe('closed');
    await outbound.close();
  });
});
