import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../../../support/servers/loopback.js';
import { captureLog } from '../../../support/service/captured-log.js';
import { aConnectedWorkspace, connect, validateCredential } from '../../../support/sources/connected-workspace.js';
import { replyRedirect } from '../../../support/vendors/vendor-responses.js';

const { log, lines } = captureLog();
const { service, vendor } = await aConnectedWorkspace({ EGRESS_ALLOW: '127.0.0.1/32' }, { log });
const editor = service.as('editor');
const { bearer } = vendor.credentials;

/** Servers that the service must not reach, on one port of several addresses. */
const canaries: Server[] = [];
let reached = 0;
let port: number;

beforeAll(async () => {
  for (const address of ['127.0.0.2', '127.0.0.3', '::1']) {
    const server = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await once(server.listen(port ?? 0, address), 'listening');
    port ??= (server.address() as AddressInfo).port;
    canaries.push(server);
  }
});

afterAll(() => {
  for (const server of canaries) server.close();
});

const UNREACHABLE = {
  ...{ status: 'inconclusive', success: false, message: 'The source cannot be reached.' },
  details: expect.any(Object),
};

const hosted = (host: string) => connect(editor, 'host', { ...bearer, ingestionConfig: { host } });

async function found(host: string): Promise<object> {
  const { validatedAt, ...result } = await validateCredential(editor, (await hosted(host)).body.data);
  return result;
}

/** Notations of disallowed hosts. The tests replace PORT by the port of the canary servers. */
const TARGETS = [
  ...['127.0.0.2:PORT', '127.2:PORT', '2130706434:PORT', '0x7f000002:PORT', '0X7F.2:PORT', '0x7f.0.0.2:PORT'],
  ...['0177.0.0.2:PORT', '017700000002:PORT', '127.0.0.2.:PORT', '00177.0.0.02:PORT', '%31%32%37.0.0.2:PORT'],
  ...['127。0。0。2:PORT', '①②⑦.⓪.⓪.②:PORT', '１２７.0.0.2:PORT', '127.0.0.２:PORT', '127.0.0.3:PORT'],
  ...['[::1]:PORT', '[0:0:0:0:0:0:0:1]:PORT', '[::]:PORT', '[::ffff:127.0.0.2]:PORT', '[::ffff:7f00:2]:PORT'],
  ...['[::127.0.0.2]:PORT', '[::7f00:2]:PORT', '[64:ff9b::7f00:2]:PORT', '[64:ff9b::127.0.0.2]:PORT'],
  ...['[64:ff9b:1::7f00:2]:PORT', '[2002:7f00:2::]:PORT', '[fe80::1%25lo]:PORT', '[fd00:ec2::254]', '[::1'],
  ...['user@127.0.0.2:PORT', 'user:password@127.0.0.2:PORT', 'vendor.test@127.0.0.2:PORT', '@127.0.0.2:PORT'],
  ...['127.0.0.2:PORT/', '127.0.0.2:PORT#', '127.0.0.2:PORT?', '127.0.0.2:PORT\\', '127.0.0.2:PORT#.vendor.test'],
  ...[
    'vendor.test/@127.0.0.2:PORT',
    'http://127.0.0.2:PORT',
    '//127.0.0.2:PORT',
    '127.0.0.2:PORT\t',
    ' 127.0.0.2:PORT',
  ],
  ...['127.0.0.2\r\nHost: vendor.test', '127.0.0.2:PORT:80', '127.0.0.2:99999', '127.0.0.2:-1', '127.0.0.2:'],
  ...['169.254.169.254', '0xa9fea9fe', '10.0.0.1:PORT', '192.168.1.1', '100.64.0.1', '0.0.0.0:PORT', '0:PORT'],
  ...['lоcalhost:PORT', 'ｌocalhost:PORT', 'xn--lcalhost-fxe:PORT', 'localhost。:PORT', '{host}', '', '.', '..', '-'],
];

describe('a disallowed host', () => {
  const outcomes = new Map<string, object>();

  /** The credential tests run in parallel, because each of them takes a second. */
  beforeAll(async () => {
    const attempt = async (target: string) => {
      const created = await hosted(target.replace('PORT', `${port}`));
      outcomes.set(target, created.status === 200 ? await validateCredential(editor, created.body.data) : created);
    };
    await Promise.all(TARGETS.map(attempt));
  });

  it.each(TARGETS)('is not called as %j, and the result reveals nothing about it', (target) => {
    const refused = { status: 400, text: expect.stringMatching(/"BAD_REQUEST: host: [a-z ]+\."/) };
    const outcome = outcomes.get(target) as { status: unknown };
    expect(outcome).toMatchObject(outcome.status === 400 ? refused : UNREACHABLE);
  });

  it('receives no connection', () => {
    expect(reached).toBe(0);
  });
});

describe('an allowed vendor', () => {
  it('is called, and its credential is valid', async () => {
    expect(await found(new URL(vendor.origin).host)).toMatchObject({ status: 'valid' });
  });

  it.each([
    ...['http://127.0.0.2:PORT/', 'http://[::1]:PORT/', 'https://127.0.0.3:PORT/', 'http://2130706434:PORT/'],
    ...['http://169.254.169.254/latest/meta-data/', 'http://user@127.0.0.1:PORT/', 'file:///etc/passwd'],
  ])('cannot redirect a call to %s', async (location) => {
    const before = reached;
    vendor.behave('/bearer/me', replyRedirect(location.replace('PORT', `${port}`)), { times: 1 });
    expect([await found(new URL(vendor.origin).host), reached]).toEqual([UNREACHABLE, before]);
  });

  it('can redirect to another allowed host, which does not receive the credential', async () => {
    const headers: object[] = [];
    const neighbour = await listenOnLoopback((request, response) => {
      headers.push(request.headers);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"email":"mallory@neighbour.test"}');
    });
    vendor.behave('/bearer/me', replyRedirect(`${neighbour.origin}/me`), { times: 1 });
    expect(await found(new URL(vendor.origin).host)).toMatchObject({ status: 'inconclusive' });
    await neighbour.close();
    expect(headers).toEqual([expect.not.objectContaining({ authorization: expect.anything() })]);
    expect(JSON.stringify(headers)).not.toContain(bearer.authenticationConfig.token);
  });
});

it('logs a blocked call with host, port, rule and request id, and reveals none of these to the caller', async () => {
  const { body } = await hosted(`127.0.0.2:${port}`);
  const { credentialMetadataId } = body.data;
  const { headers, text } = await editor.post('/api/connectors/validate', { credentialMetadataId });
  const requestId = headers.get('x-request-id');
  const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);
  const warnings = logged.filter(({ level }) => level >= 40);
  const refusal = { host: '127.0.0.2', port, rule: 'private_address', msg: 'outbound call blocked' };
  expect(warnings).toEqual([expect.objectContaining(refusal)]);
  for (const detail of ['127.0.0.2', `${port}`, 'private_address', 'refused']) expect(text).not.toContain(detail);
  expect(JSON.parse(text).data).toMatchObject(UNREACHABLE);
  for (const secret of Object.values(bearer.authenticationConfig)) expect(lines.join()).not.toContain(secret);
  expect(lines.join()).not.toMatch(/\/bearer\/me|password@/);
});

it('returns the same response after the same minimum time for disallowed, closed and unknown hosts', async () => {
  const hosts = [`127.0.0.2:${port}`, '127.0.0.1:1', 'nowhere.invalid'];
  const instances = await Promise.all(hosts.map(async (host) => (await hosted(host)).body.data));
  const texts = new Set<string>();
  const tests = instances.map(async (instance) => {
    const begun = performance.now();
    const { validatedAt, ...result } = await validateCredential(editor, instance);
    texts.add(JSON.stringify(result));
    return performance.now() - begun;
  });
  const times = await Promise.all(tests);
  expect([...texts]).toHaveLength(1);
  // Failed credential tests take at least one second. Without this minimum, each of these tests would take far less
  // time.
  expect(Math.min(...times)).toBeGreaterThan(990);
});
