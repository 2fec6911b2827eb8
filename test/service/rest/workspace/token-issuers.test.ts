import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anIdentityProvider } from '../../../support/identity/identity-provider.js';
import { aJwksServer, aSigningKey } from '../../../support/identity/jwks-server.js';
import { createWorkspaceWithInvitations } from '../../../support/service/invited-workspace.js';
import { aService, type Reply, type TestService } from '../../../support/service/service.js';

/** Slightly more than the cooldown between two fetches of the keys. */
const COOLDOWN = 5_200;

/** Slightly more than the maximum age of fetched keys. */
const MAX_AGE = 601_000;

const DISCOVERY = '/.well-known/openid-configuration';

/** Advances `Date.now()`. */
function pass(milliseconds: number): void {
  ahead += milliseconds;
}

const { now } = Date;
let ahead = 0;
beforeAll(() => void vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead));
afterAll(() => void vi.restoreAllMocks());

const [provider, issuer, away] = await Promise.all([anIdentityProvider(), aJwksServer(), aJwksServer()]);

function aServiceOf(settings: Record<string, string>): TestService & { requestAs(token: string): Promise<Reply> } {
  const service = aService(settings);
  beforeAll(() => createWorkspaceWithInvitations(service, 'acme', { 'ada@acme.test': 'viewer' }));
  const requestAs = (token: string): Promise<Reply> =>
    service.request('/api/users/me', { headers: { authorization: `Bearer ${token}`, 'x-tenant': 'acme' } });
  return Object.assign(service, { requestAs });
}

function expectUnavailable({ status, headers, body }: Reply): void {
  expect([status, body.error]).toEqual([
    503,
    'UNAVAILABLE: The service cannot fetch the signing keys of the identity provider. Try again shortly.',
  ]);
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(headers.get('www-authenticate')).toBeNull();
}

describe('an OpenID provider', () => {
  const service = aServiceOf(provider.settings);
  afterAll(() => provider.close());

  it('authenticates invited users, even after a key rotation', async () => {
    const before = await provider.signIn('ada@acme.test');
    const { status, body } = await service.requestAs(before);
    expect([status, body.data]).toMatchObject([200, { email: 'ada@acme.test', status: 'ACTIVE' }]);
    expect((await service.requestAs(await provider.signIn('eve@acme.test'))).status).toBe(403);

    provider.rotateKeys();
    const after = await provider.signIn('ada@acme.test');
    pass(COOLDOWN);
    expect((await service.requestAs(after)).body.data?.id).toBe(body.data.id);
    expect((await service.requestAs(before)).status).toBe(401);
  });
});

describe('keys of an issuer', () => {
  const service = aServiceOf(issuer.settings);
  afterAll(() => issuer.close());

  it('are fetched once for concurrent first requests', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => service.requestAs(issuer.token())));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(issuer.requestedPaths.splice(0)).toEqual([DISCOVERY, '/jwks']);
  });

  it('may be rotated: a new key is accepted immediately, a removed key is rejected', async () => {
    const [old, next] = [issuer.key, aSigningKey()];
    const early = issuer.token();
    expect((await service.requestAs(issuer.token({}, {}, next))).status).toBe(401);
    issuer.keys = [next.jwk];
    issuer.key = next;
    pass(COOLDOWN);
    expect((await service.requestAs(early)).status).toBe(200); // A token with a known key causes no fetch.
    expect((await service.requestAs(issuer.token())).status).toBe(200);
    expect((await service.requestAs(early)).status).toBe(401);
    expect((await service.requestAs(issuer.token({}, {}, old))).status).toBe(401);
  });

  it('are not fetched for each of 200 tokens with unknown key ids', async () => {
    pass(COOLDOWN);
    issuer.requestedPaths.length = 0;
    const tokens = Array.from({ length: 200 }, () => issuer.token({}, { kid: crypto.randomUUID() }));
    const replies = await Promise.all(tokens.map((token) => service.requestAs(token)));
    expect(replies.map(({ status }) => status)).toEqual(Array(200).fill(401));
    expect(issuer.requestedPaths.length).toBeGreaterThan(0);
    expect(issuer.requestedPaths.length).toBeLessThan(5);
    expect((await service.requestAs(issuer.token())).status).toBe(200);
  });

  it.each([
    ['the issuer answers 500', () => (issuer.keysStatus = 500)],
    ['its document has no keys', () => (issuer.keys = undefined as never)],
  ])('are fetched once in 5 seconds for tokens with unknown key ids while %s', async (_, fail) => {
    const { keys } = issuer;
    fail();
    pass(COOLDOWN);
    issuer.requestedPaths.length = 0;
    for (let nth = 0; nth < 20; nth++)
      expectUnavailable(await service.requestAs(issuer.token({}, { kid: crypto.randomUUID() })));
    expect(issuer.requestedPaths).toEqual(['/jwks']);
    expect((await service.requestAs(issuer.token())).status).toBe(200);
    pass(COOLDOWN);
    expectUnavailable(await service.requestAs(issuer.token({}, { kid: crypto.randomUUID() })));
    expect(issuer.requestedPaths).toEqual(['/jwks', '/jwks']);
    Object.assign(issuer, { keys, keysStatus: 200 });
  });

  it('remain valid while they cannot be fetched, and a token with a new key returns 503', async () => {
    const next = aSigningKey();
    issuer.keysStatus = 500;
    pass(COOLDOWN);
    expectUnavailable(await service.requestAs(issuer.token({}, {}, next)));
    expect((await service.requestAs(issuer.token())).status).toBe(200);
    issuer.keysStatus = 200;
    issuer.keys.push(next.jwk);
    pass(COOLDOWN);
    expect((await service.requestAs(issuer.token({}, {}, next))).status).toBe(200);
  });

  it('are used for at most 10 minutes after they were fetched', async () => {
    const leaked = issuer.key;
    issuer.keys = [aSigningKey().jwk];
    const exp = Math.floor(Date.now() / 1_000) + 86_400;
    expect((await service.requestAs(issuer.token({ exp }, {}, leaked))).status).toBe(200);
    pass(MAX_AGE);
    expect((await service.requestAs(issuer.token({ exp }, {}, leaked))).status).toBe(401);
  });
});

describe('an issuer that is unavailable at the first token', () => {
  const service = aServiceOf(away.settings);
  beforeAll(() => away.close());
  afterAll(() => away.close());

  it('returns 503 until its documents are valid, and is queried once in 5 seconds', async () => {
    expectUnavailable(await service.requestAs(away.token()));
    expect((await service.request('/api/vendors/platform-vendors?limit=1')).status).toBe(200);
    await away.open();
    const named = away.document as { issuer: string; jwks_uri: string };
    const wrong = [
      { ...named, issuer: 'https://login.example.com' },
      { ...named, issuer: `${away.url}/` },
      { jwks_uri: named.jwks_uri },
      { issuer: away.url },
      { ...named, jwks_uri: 'jwks' },
      { ...named, jwks_uri: `${away.url}/nowhere` },
      { ...named, jwks_uri: 'file:///etc/passwd' },
      null,
      [],
      'x'.repeat(300_000),
    ];
    for (const document of wrong) {
      away.document = document;
      pass(COOLDOWN);
      for (let nth = 0; nth < 5; nth++) expectUnavailable(await service.requestAs(away.token()));
    }
    expect(away.requestedPaths.filter((path) => path === DISCOVERY)).toHaveLength(wrong.length);
    away.document = named;
    pass(COOLDOWN);
    expect((await service.requestAs(away.token())).status).toBe(200);
  });
});

describe.each([
  ['named by its discovery document', {}],
  ['named by AUTH_JWKS_URL', { AUTH_JWKS_URL: `${issuer.url}/jwks` }],
])('keys of an issuer on loopback, %s', (_, settings) => {
  const service = aServiceOf({ ...issuer.settings, EGRESS_ALLOW: '', ...settings });
  beforeAll(() => issuer.open());
  afterAll(() => issuer.close());

  it('return 503 without EGRESS_ALLOW, and no connection is made', async () => {
    issuer.connections = 0;
    expectUnavailable(await service.requestAs(issuer.token()));
    expect(issuer.connections).toBe(0);
    expect((await fetch(`${issuer.url}/jwks`)).status).toBe(200);
    expect(issuer.connections).toBe(1);
  });
});

describe('AUTH_JWKS_URL', () => {
  const service = aServiceOf({ ...issuer.settings, AUTH_JWKS_URL: `${issuer.url}/jwks` });
  beforeAll(() => issuer.open());
  afterAll(() => issuer.close());

  it('is the URL of the keys; the discovery document is not fetched', async () => {
    issuer.requestedPaths.length = 0;
    issuer.keys = [issuer.key.jwk];
    expect((await service.requestAs(issuer.token())).status).toBe(200);
    expect(issuer.requestedPaths).toEqual(['/jwks']);
  });
});
