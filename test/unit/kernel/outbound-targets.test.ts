import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AddressGuard } from '../../../src/kernel/outbound/address-guard.js';
import { isReservedPort } from '../../../src/kernel/outbound/blocked-ports.js';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import { startCanaryServers } from '../../support/servers/canary-servers.js';
import { reasonOf } from '../../support/servers/outbound-servers.js';
import {
  ALLOWED_IPV4,
  addressSpellings,
  blockedAddresses,
  LOOPBACK_IPV4,
  lookupTarget,
  malformedAddresses,
  UNSAFE_PORTS,
} from '../../support/servers/outbound-targets.js';

const canaries = await startCanaryServers(...LOOPBACK_IPV4, '127.127.127.127', '::1');
const PORT = canaries.port;
const WRONG = blockedAddresses(PORT);
const NONE = malformedAddresses(PORT);

/** Returns whether the URL can be the value of a Location header and does not depend on the base URL. */
const isLocation = (url: string) => /^[\x21-\x7e]+$/.test(url) && !/^https?:\/?\d/.test(url);

/** `attempts` excludes this port, because services of earlier test files may connect to the database at any time. */
const DATABASE_PORT = Number(new URL(process.env.TEST_TEMPLATE_URL as string).port);

const attempts: string[] = [];
let reachedBefore = 0;
let server: Server;
let location = '';
let redirecting: string;
let outbound: OutboundClient;
let open: OutboundClient;

beforeAll(async () => {
  server = createServer((_, response) => response.writeHead(302, { location }).end());
  await once(server.listen(0, ALLOWED_IPV4), 'listening');
  redirecting = `http://${ALLOWED_IPV4}:${(server.address() as AddressInfo).port}/`;
  outbound = new OutboundClient({ allow: [`${ALLOWED_IPV4}/32`], lookup: lookupTarget });
  open = new OutboundClient({ allow: ['127.0.0.0/8', '::1/128'], lookup: lookupTarget });
  const { connect } = Socket.prototype;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...parameters: unknown[]) {
    this.on('connectionAttempt', (address, port) => port !== DATABASE_PORT && attempts.push(address));
    return connect.apply(this, parameters as Parameters<typeof connect>);
  } as typeof connect);
});

beforeEach(() => {
  attempts.length = 0;
  reachedBefore = canaries.reached();
});

afterAll(async () => {
  vi.restoreAllMocks();
  await Promise.all([outbound.close(), open.close()]);
  server.close();
  canaries.close();
});

async function redirected(to: string): Promise<string> {
  location = to;
  return reasonOf(outbound.request(redirecting));
}

function expectNothingReached(): void {
  expect(canaries.reached()).toBe(reachedBefore);
  expect(attempts.filter((address) => address !== ALLOWED_IPV4)).toEqual([]);
}

it('has more than 200 distinct targets', () => {
  expect(new Set([...WRONG, ...NONE]).size).toBe(WRONG.length + NONE.length);
  expect(Math.min(WRONG.length, NONE.length)).toBeGreaterThan(200);
  expect(WRONG.filter(isLocation).length).toBeGreaterThan(200);
});

describe('a call', () => {
  it.each(WRONG)('does not reach %j', async (url) => {
    expect(await reasonOf(outbound.request(url))).toBe('address_not_allowed');
    expectNothingReached();
  });

  it.each(NONE)('is rejected for %j', async (url) => {
    expect(await reasonOf(outbound.request(url))).toBe('url_not_allowed');
    expectNothingReached();
  });

  it.each(['x: y\r\nhost: 8.8.8.8', '\r\n\r\nGET / HTTP/1.1', 'a\nb', 'a\0b'])(
    'is rejected with the header %j',
    async (value) => {
      for (const headers of [{ 'x-a': value }, { [value]: 'a' }])
        expect(await reasonOf(open.request(`http://127.0.0.1:${PORT}/`, { headers }))).toBe('request_not_allowed');
      expectNothingReached();
    },
  );
});

describe('a redirect from an allowed server', () => {
  it.each(WRONG.filter(isLocation))('does not lead to %j', async (url) => {
    expect(await redirected(url)).toBe('address_not_allowed');
    expectNothingReached();
  });

  it.each(NONE.filter(isLocation))('is not followed to %j', async (url) => {
    expect(await redirected(url)).toBe('url_not_allowed');
    expectNothingReached();
  });

  it.each([`//127.0.0.1:${PORT}/`, `\\\\127.0.0.1:${PORT}\\`, `/\\127.0.0.1:${PORT}/`, `/\t/127.0.0.1:${PORT}`])(
    'does not lead to %j, which has no scheme',
    async (url) => {
      expect(await redirected(url)).toBe('address_not_allowed');
      expectNothingReached();
    },
  );
});

describe('a name', () => {
  it('that resolves to another address the second time does not lead there', async () => {
    const answers = [ALLOWED_IPV4, '127.0.0.1', '::1', '10.0.0.1', '169.254.169.254'];
    const rebinding = new OutboundClient({
      allow: [`${ALLOWED_IPV4}/32`],
      lookup: async () => [{ address: answers.shift() as string, family: 4 }],
    });
    const { port } = new URL(redirecting);
    location = '';
    expect((await rebinding.request(`http://rebinding.test:${port}/`, { headers: { 'x-a': 'b' } })).status).toBe(302);
    while (answers.length)
      expect(await reasonOf(rebinding.request(`http://rebinding.test:${PORT}/`))).toBe('address_not_allowed');
    expectNothingReached();
    await rebinding.close();
  });

  it('with allowed and forbidden addresses leads only to the allowed addresses', async () => {
    const { port } = new URL(redirecting);
    location = '';
    expect((await outbound.request(`http://allowed.test:${port}/`)).status).toBe(302);
    expect(await reasonOf(outbound.request(`http://allowed.test:${PORT}/`))).toBe('unreachable');
    expectNothingReached();
  });
});

describe('with an allowed network', () => {
  it.each([
    ...LOOPBACK_IPV4.flatMap(addressSpellings),
    'localhost',
    'loopback.test',
    'six.test',
    '[::1]',
    '[::ffff:7f00:1]',
  ])('reaches %s directly and by a redirect', async (host) => {
    const url = new URL(`http://${host}:${PORT}/`).href;
    expect(`${(await open.request(`http://${host}:${PORT}/`)).body}`).toBe('canary');
    location = url;
    expect(`${(await open.request(redirecting)).body}`).toBe('canary');
  });

  it('connects to reserved ports, but not to blocked ports', async () => {
    expect(await reasonOf(outbound.request(`http://${ALLOWED_IPV4}:81/`))).toBe('unreachable');
    expect(attempts).toEqual([ALLOWED_IPV4]);
    expect(await reasonOf(outbound.request(`http://${ALLOWED_IPV4}:22/`))).toBe('url_not_allowed');
    expect(attempts).toEqual([ALLOWED_IPV4]);
  });

  it('permits the public internet on ports 80, 443 and above 1023', () => {
    const guard = new AddressGuard([`${ALLOWED_IPV4}/32`]);
    for (const [port, isReserved] of Object.entries({
      '': false,
      80: false,
      443: false,
      81: true,
      1023: true,
      1024: false,
      8443: false,
    })) {
      const hasReservedPort = isReservedPort({ protocol: 'https:', port });
      expect([port, hasReservedPort]).toEqual([port, isReserved]);
      expect(guard.permits('8.8.8.8', 'https:', hasReservedPort)).toBe(!isReserved);
      expect(guard.permits(ALLOWED_IPV4, 'http:', hasReservedPort)).toBe(true);
    }
    expect(UNSAFE_PORTS).toHaveLength(83);
  });
});
