import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, isIP, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BlockedCall, OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import { aCertificate } from '../../support/servers/certificates.js';
import { reasonOf } from '../../support/servers/outbound-servers.js';

const NAMES: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'canary.test': ['127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'six.test': ['::1'],
  'compatible.test': ['::127.0.0.1'],
  'compatible-public.test': ['::8.8.8.8'],
  'nat64.test': ['64:ff9b::7f00:1'],
  '6to4.test': ['2002:7f00:1::'],
  'zone.test': ['fe80::1%eth0'],
  'metadata.test': ['169.254.169.254', 'fd00:ec2::254'],
  'octal.test': ['0177.0.0.1'],
  'nothing.test': [],
  'mixed.test': ['10.0.0.1', '::1', '127.0.0.1', '192.168.0.1'],
};

/** Hosts that lead to 127.0.0.1, or to 0.0.0.0, which is also this machine. */
const CANARY_HOSTS = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '127.0x0.0.1',
    '2130706433',
    '0x7f000001',
    '0X7F.1',
    '0x7f.0.0.0x1',
  ],
  ...['0177.0.0.1', '0177.1', '017700000001', '00000177.0.0.01', '%31%32%37.0.0.1', '127。0。0。1', '①②⑦.⓪.⓪.①'],
  ...['１２７.0.0.1', '0', '0x0', '0.0.0.0', '00.00', 'localhost', 'LOCALHOST', 'localhost.', 'l%6fcalhost'],
  ...[
    'canary.test',
    'mapped.test',
    'CANARY.test',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
  ],
];

const OTHER_HOSTS = [
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::7f00:1]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[::ffff:10.0.0.1]'],
  ...['[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]'],
  ...['[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[100::1]', '[2001:db8::1]', '[3fff::1]'],
  ...['[5f00::1]', '[4000::1]', '[2001:2::1]', '[::ffff:169.254.169.254]', '127.127.127.127', '10.0.0.1', '172.16.0.1'],
  ...['172.31.255.255', '192.168.1.1', '169.254.169.254', '0xa9fea9fe', '2852039166', '100.64.0.1', '100.100.100.200'],
  ...['192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
  ...['255.255.255.255', '0.1.2.3', 'six.test', 'compatible.test', 'compatible-public.test', 'nat64.test', '6to4.test'],
  ...['zone.test', 'metadata.test', 'octal.test', 'nothing.test', 'mixed.test'],
];

const NO_URLS = [
  ...['http://user@127.0.0.1/', 'http://user:password@127.0.0.1/', 'https://:password@127.0.0.1/', ''],
  ...['https://8.8.8.8@127.0.0.1/', 'ftp://127.0.0.1/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'ws://127.0.0.1/'],
  ...['data:,x', 'unix:/var/run/docker.sock', '//127.0.0.1/', '127.0.0.1:80', 'localhost:80', '/etc/passwd', 'http://'],
  ...[
    'http://[::1',
    'http://127.0.0.1:99999/',
    'http://[fe80::1%25eth0]/',
    'http://256.256.256.256/',
    'http://0x100000000/',
  ],
];

const lookup = async (name: string) => {
  const addresses = NAMES[name.toLowerCase()];
  if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: isIP(address) }));
};

const attempts: string[] = [];
const clients: OutboundClient[] = [];
const canary = createServer((request, response) => answer(request, response));
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
let port: number;
/** If set, replaces the remote address that sockets report. */
let elsewhere: string | undefined;

beforeAll(async () => {
  await once(canary.listen(0, '127.0.0.1'), 'listening');
  port = (canary.address() as AddressInfo).port;
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...parameters: unknown[]) {
    // Ignores other ports, because a service of an earlier test file may reconnect to its database in this process.
    this.on('connectionAttempt', (address, to) => [port, 80, 443].includes(to) && attempts.push(address));
    if (elsewhere) Object.defineProperty(this, 'remoteAddress', { value: elsewhere });
    return connect.apply(this, parameters as Parameters<typeof connect>);
  } as typeof connect);
});

beforeEach(() => {
  answer = (_, response) => response.end('canary');
  elsewhere = undefined;
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  attempts.length = 0;
});

afterAll(() => {
  vi.restoreAllMocks();
  canary.close();
});

describe('a call', () => {
  it.each([...CANARY_HOSTS, ...OTHER_HOSTS])('never connects to %s', async (host) => {
    for (const protocol of ['http', 'https']) {
      expect(await reasonOf(anOutbound().request(`${protocol}://${host}:${port}/`))).toBe('address_not_allowed');
    }
    expect(attempts).toEqual([]);
  });

  it.each(NO_URLS)('is rejected for %j', async (url) => {
    expect(await reasonOf(anOutbound('0.0.0.0/0', '::/0').request(url))).toBe('url_not_allowed');
    expect(attempts).toEqual([]);
  });

  it.each(CANARY_HOSTS)('connects to %s if the network is allowed', async (host) => {
    const reply = await anOutbound('127.0.0.0/8', '0.0.0.0/32').request(`http://${host}:${port}/`);
    expect([`${reply.body}`, attempts.length]).toEqual(['canary', 1]);
  });

  it('never uses plain HTTP on the public internet', async () => {
    for (const host of ['8.8.8.8', '[2606:4700:4700::1111]']) {
      expect(await reasonOf(anOutbound('127.0.0.0/8').request(`http://${host}/`))).toBe('address_not_allowed');
    }
    expect(attempts).toEqual([]);
  });

  it('resolves localhost like any other name', async () => {
    const outbound = new OutboundClient({ allow: [] });
    clients.push(outbound);
    expect(await reasonOf(outbound.request(`http://localhost:${port}/`))).toBe('address_not_allowed');
    expect(attempts).toEqual([]);
  });

  it('connects only to the allowed addresses of a name', async () => {
    const reply = await anOutbound('127.0.0.1/32').request(`http://mixed.test:${port}/`);
    expect([reply.status, attempts]).toEqual([200, ['127.0.0.1']]);
  });

  it('does not follow a redirect to a forbidden address', async () => {
    for (const host of ['127.0.0.2', '[::1]', '169.254.169.254', 'metadata.test', '[64:ff9b::7f00:1]', '2130706434']) {
      attempts.length = 0;
      answer = (_, response) => response.writeHead(302, { location: `http://${host}:${port}/` }).end();
      const call = anOutbound('127.0.0.1/32').request(`http://127.0.0.1:${port}/`);
      expect([await reasonOf(call), attempts]).toEqual(['address_not_allowed', ['127.0.0.1']]);
    }
    answer = (_, response) => response.writeHead(302, { location: `http://user@127.0.0.1:${port}/` }).end();
    expect(await reasonOf(anOutbound('127.0.0.1/32').request(`http://127.0.0.1:${port}/`))).toBe('url_not_allowed');
  });

  it('resolves a name once per connection, so that DNS rebinding has no effect', async () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    const rebinding = vi.fn(async () => [{ address: `${answers.shift()}`, family: 4 }]);
    const outbound = new OutboundClient({ allow: ['127.0.0.1/32'], lookup: rebinding });
    clients.push(outbound);
    answer = (_, response) => response.setHeader('connection', 'close').end();
    expect((await outbound.request(`http://rebinding.test:${port}/`)).status).toBe(200);
    expect([rebinding.mock.calls.length, attempts]).toEqual([1, ['127.0.0.1']]);
    expect(await reasonOf(outbound.request(`http://rebinding.test:${port}/`))).toBe('address_not_allowed');
    expect([rebinding.mock.calls.length, attempts]).toEqual([2, ['127.0.0.1']]);
  });

  it.each(['http', 'https'])(
    'with %s sends no byte if the socket is connected to a forbidden address',
    async (protocol) => {
      const received: Buffer[] = [];
      const server = createTcpServer((socket) =>
        socket.on('data', (data) => received.push(data)).on('error', () => {}),
      );
      await once(server.listen(0, '127.0.0.1'), 'listening');
      elsewhere = '10.0.0.1';
      const connected = once(server, 'connection');
      const call = anOutbound('127.0.0.1/32').request(
        `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      );
      expect(await reasonOf(call)).toBe('address_not_allowed');
      const [socket] = await connected;
      if (!socket.closed) await once(socket.resume(), 'close');
      expect(received).toEqual([]);
      server.close();
    },
  );
});

describe('a blocked call', () => {
  const refusals: BlockedCall[] = [];
  const call = async (url: string, headers = {}) => {
    const outbound = new OutboundClient({
      allow: ['127.0.0.1/32'],
      lookup,
      onBlockedCall: (refusal) => refusals.push(refusal),
    });
    clients.push(outbound);
    refusals.length = 0;
    await reasonOf(outbound.request(url, { method: 'POST', headers, body: 'a', requestId: 'req-1' }));
    return refusals;
  };

  it.each([
    ['https://mapped.test:99999/?token=hunter2', { rule: 'url' }],
    ['ftp://canary.test/hunter2', { rule: 'scheme', host: 'canary.test', port: undefined }],
    ['https://user:hunter2@canary.test/', { rule: 'userinfo', host: 'canary.test', port: 443 }],
    ['https://canary.test:25/hunter2', { rule: 'blocked_port', host: 'canary.test', port: 25 }],
    ['https://8.8.8.8:444/hunter2', { rule: 'reserved_port', host: '8.8.8.8', port: 444 }],
    ['http://8.8.8.8/?hunter2', { rule: 'plain_http', host: '8.8.8.8', port: 80 }],
    ['https://metadata.test/?hunter2', { rule: 'private_address', host: 'metadata.test', port: 443 }],
    ['https://[fd00:ec2::254]:8443/', { rule: 'private_address', host: '[fd00:ec2::254]', port: 8443 }],
    ['https://nothing.test/?hunter2', { rule: 'no_address', host: 'nothing.test', port: 443 }],
  ])('is reported once with its rule and without secrets: %s', async (url, refusal) => {
    expect(await call(url)).toEqual([{ ...refusal, requestId: 'req-1' }]);
    expect(JSON.stringify(refusals)).not.toContain('hunter2');
  });

  it('is reported with the host of the redirect', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'https://six.test/?hunter2' }).end();
    const expected = { rule: 'private_address', host: 'six.test', port: 443, requestId: 'req-1' };
    expect(await call(`http://127.0.0.1:${port}/`)).toEqual([expected]);
    answer = (_, response) => response.writeHead(307, { location: 'https://public.test/?hunter2' }).end();
    expect(await call(`http://127.0.0.1:${port}/`)).toEqual([
      { ...expected, host: 'public.test', rule: 'redirected_body' },
    ]);
  });

  it('is reported without the header that caused it', async () => {
    const refusal = { rule: 'header', host: '127.0.0.1', port, requestId: 'req-1' };
    expect(await call(`http://127.0.0.1:${port}/`, { 'x-key': 'hunter2\n' })).toEqual([refusal]);
  });

  it('is reported if only the connected address reveals it', async () => {
    elsewhere = '10.0.0.1';
    expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject([{ rule: 'private_address', host: '127.0.0.1' }]);
  });

  it('is not reported if the call fails for another reason', async () => {
    expect(await call('https://unknown.test/')).toEqual([]);
    expect(await call('http://127.0.0.1:1081/')).toEqual([]);
  });
});

describe('TLS', () => {
  const before = getCACertificates('default');
  afterAll(() => setDefaultCACertificates(before));

  it('validates the certificate against the host name of the call, not its address', async () => {
    const certificate = aCertificate('canary.test');
    const server = createTlsServer(certificate, (_, response) => response.end('sealed'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const call = (host: string) =>
      anOutbound('127.0.0.1/32').request(`https://${host}:${(server.address() as AddressInfo).port}/`);
    expect(await reasonOf(call('canary.test'))).toBe('unreachable');
    setDefaultCACertificates([...before, certificate.cert]);
    expect(`${(await call('canary.test')).body}`).toBe('sealed');
    for (const host of ['mapped.test', '127.0.0.1']) expect(await reasonOf(call(host))).toBe('unreachable');
    server.close();
  });
});

function anOutbound(...allow: string[]): OutboundClient {
  const outbound = new OutboundClient({ allow, lookup });
  clients.push(outbound);
  return outbound;
}
