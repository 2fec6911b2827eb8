import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { demoAddress } from '../../src/tenancy/seed-demo.js';
import { aConnectedWorld, connect, read } from '../support/connections.js';
import { aHostileProvider } from '../support/hostile-provider.js';
import { answerOf, aProgram, giveRoles, roleIdOf, UPDATE_USER, userIdOf } from '../support/people.js';
import { rowsOf } from '../support/rows.js';
import type { Client, Reply } from '../support/service.js';
import {
  APP,
  aConnection,
  agree,
  begin,
  CONNECTED,
  codesTraded,
  complete,
  ENDED,
  listAddresses,
  moved,
  open,
  QUESTION,
  shown,
  signInByPage,
  start,
} from '../support/sign-ins.js';
import { aVendorConnector } from '../support/vendor-definitions.js';
import { aCodeStrategy } from '../support/vendor-strategies.js';
import { aWorkspace } from '../support/workspace.js';

const hostile = await aHostileProvider();
const { service, provider } = await aConnectedWorld(
  {},
  {
    hostileIssuer: hostile.issuer,
    more: ({ origin }) => {
      // Its authorization server is the customer's own, at any of these two.
      const strategy = aCodeStrategy('http://{host}', 'private_key_jwt');
      const { properties, ...schema } = strategy.configSchema as { properties: object };
      const host = { type: 'string', pattern: '^127\\.0\\.0\\.1:\\d+$' };
      return [
        aVendorConnector('own-server', {
          defaultBaseUrl: `${origin}/oauth2-auth-code-pkce`,
          supportedAuthStrategies: [{ ...strategy, configSchema: { ...schema, properties: { ...properties, host } } }],
        }),
      ];
    },
  },
);
afterAll(() => hostile.close());

const editor = service.as('editor');
const owner = service.as('owner');
const admin = service.as('admin');
const credential = provider.credentials.client_secret_post;

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let instance: any;
let traded: number;
beforeAll(async () => {
  await listAddresses(owner, [APP]);
  await aWorkspace(service, 'other');
  await listAddresses(service.as('owner', { slug: 'other' }), [APP]);
});
beforeEach(async () => {
  instance = await aConnection(editor, provider, 'client_secret_post');
  traded = codesTraded(provider);
  hostile.answerWith({ code: 'code-of-the-hostile', iss: hostile.issuer });
});

const viaApp = async (client = editor, own = instance) =>
  agree(provider, await begin(client, own, { redirectUri: APP }));
const refusalOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')];
const INVALID = [400, 'OAUTH_STATE_INVALID'];
const REFUSED = [400, 'OAUTH_REFUSED'];

const viaPage = (client = editor, own = instance) => signInByPage(client, provider, own);

describe('state', () => {
  it('reuse', async () => {
    const back = await viaApp();
    expect((await complete(editor, back)).status).toBe(200);
    expect(refusalOf(await complete(editor, back))).toEqual(INVALID);
    expect(codesTraded(provider)).toBe(traded + 1);
  });

  it('reuse after a refusal', async () => {
    const back = await viaApp();
    const wrong = moved(back, ({ searchParams }) => searchParams.set('code', 'wrong'));
    expect(refusalOf(await complete(editor, wrong))).toEqual(REFUSED);
    expect(refusalOf(await complete(editor, back))).toEqual(INVALID);
    expect((await complete(editor, await viaApp())).status).toBe(200);
  });

  it('of another user', async () => {
    const back = await viaApp();
    expect(refusalOf(await complete(admin, back))).toEqual([403, 'FORBIDDEN']);
    expect(codesTraded(provider)).toBe(traded);
    expect((await complete(editor, back)).status).toBe(200);
  });

  it('of another workspace', async () => {
    const back = await viaApp();
    expect(refusalOf(await complete(service.as('editor', { slug: 'other' }), back))).toEqual(INVALID);
    expect(codesTraded(provider)).toBe(traded);
    expect((await complete(editor, back)).status).toBe(200);
  });

  it('of an API key, brought by its maker, and the other way round', async () => {
    const program = await aProgram(service, ['connectors:read', 'connectors:write']);
    const [ofProgram, ofOwner] = [await viaApp(program), await viaApp(owner)];
    expect(refusalOf(await complete(owner, ofProgram))).toEqual([403, 'FORBIDDEN']);
    expect(refusalOf(await complete(program, ofOwner))).toEqual([403, 'FORBIDDEN']);
    expect((await complete(program, ofProgram)).status).toBe(200);
  });

  it('expired', async () => {
    const [late, inTime] = [await viaApp(), await viaApp()];
    await expire(late);
    expect(refusalOf(await complete(editor, late))).toEqual(INVALID);
    expect((await complete(editor, inTime)).status).toBe(200);

    const [page, other] = [await viaPage(), await viaPage()];
    await expire(page.back);
    expect(await shown(page.back, page)).toEqual(ENDED);
    expect(await shown(other.back, other)).toEqual(CONNECTED);
  });

  it('unknown', async () => {
    const back = await viaApp();
    for (const state of ['x', back.searchParams.get('state')?.toUpperCase(), `${back.searchParams.get('state')} `])
      expect(refusalOf(await complete(editor, back, { state }))).toEqual(INVALID);
    expect((await complete(editor, back)).status).toBe(200);
  });

  it('at once in 100 requests: one gets through', async () => {
    const back = await viaApp();
    const replies = await Promise.all(Array.from({ length: 100 }, () => complete(editor, back)));
    const codes = replies.map(({ status, headers }) => headers.get('x-error-code') ?? status);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 'OAUTH_STATE_INVALID')).toHaveLength(99);
    expect(codesTraded(provider)).toBe(traded + 1);
  });
});

describe('fixation', () => {
  it("COSF by an application: a victim completes an attacker's sign-in", async () => {
    const back = await viaApp(admin);
    expect(refusalOf(await complete(editor, back))).toEqual([403, 'FORBIDDEN']);
    expect(await read(editor, instance)).toMatchObject({ credentialStatus: 'manual_validation_required' });
  });

  it("COSF by the page: a victim's browser is asked, by the names of who and where, and completes nothing", async () => {
    const { back } = await viaPage();
    const page = await open(back);
    expect([page.status, page.title]).toEqual(QUESTION);
    for (const name of [demoAddress('editor'), 'Demo']) expect(page.text).toContain(name);
    expect(codesTraded(provider)).toBe(traded);
    expect(await read(editor, instance)).toMatchObject({ credentialStatus: 'manual_validation_required' });
  });

  it("by the cookie of another sign-in, such as the attacker's own", async () => {
    const [own, other] = [await viaPage(), await viaPage(admin)];
    expect(await shown(own.back, { cookie: other.cookie })).toEqual(QUESTION);
    const renamed = `${own.cookie.split('=')[0]}=${other.cookie.split('=')[1]}`;
    expect(await shown(own.back, { cookie: renamed })).toEqual(QUESTION);
    expect(await shown(own.back, own)).toEqual(CONNECTED);
  });

  it('by a form on another site', async () => {
    const { back } = await viaPage();
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await shown(back, { method: 'POST', headers: { 'sec-fetch-site': site } })).toEqual(QUESTION);
    expect(codesTraded(provider)).toBe(traded);
    expect(await shown(back, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })).toEqual(CONNECTED);
  });

  it('CORF: a code that the victim never asked for', async () => {
    const { back, ...own } = await viaPage(admin);
    const forged = moved(back, ({ searchParams }) => searchParams.delete('state'));
    expect(await shown(forged, own)).toEqual(ENDED);
    expect(refusalOf(await complete(editor, back, { state: 'x' }))).toEqual(INVALID);
    expect(codesTraded(provider)).toBe(traded);
    expect(await shown(back, own)).toEqual(CONNECTED);
  });

  it('CORF: a hostile connector sends the browser on to the page of an honest one', async () => {
    const [honest, other] = [await viaPage(admin), await begin(editor, await aHostileConnection())];
    const forged = moved(honest.back, ({ searchParams }) => searchParams.set('state', other.state));
    expect(await shown(forged, other)).toEqual(ENDED);
    expect(codesTraded(provider)).toBe(traded);
    expect(await shown(honest.back, honest)).toEqual(CONNECTED);
  });
});

describe('codes', () => {
  it('injection: a code of another sign-in', async () => {
    const [victim, attacker] = [await viaApp(), await viaApp(admin)];
    const code = attacker.searchParams.get('code');
    expect(refusalOf(await complete(editor, victim, { code }))).toEqual(REFUSED);
    expect(provider.exchanges.at(-1)).toMatchObject({ error: 'invalid_grant' });
    expect((await complete(editor, await viaApp())).status).toBe(200);
  });

  it('PKCE downgrade: another method or no challenge in the address is refused by the provider', async () => {
    const { authorizeUrl, ...signIn } = await begin(editor, instance, { redirectUri: APP });
    const { searchParams } = new URL(authorizeUrl);
    expect([searchParams.get('code_challenge_method'), searchParams.get('code_challenge')?.length]).toEqual([
      'S256',
      43,
    ]);
    const dropped = moved(new URL(authorizeUrl), (url) => {
      url.searchParams.delete('code_challenge');
      url.searchParams.delete('code_challenge_method');
    });
    const back = await agree(provider, { ...signIn, authorizeUrl: dropped.href });
    expect(back.searchParams.get('error')).toBe('invalid_request');
    expect(refusalOf(await complete(editor, back))).toEqual(REFUSED);
  });

  it('PKCE drop: a code is worth nothing without the verifier, which the service sends', async () => {
    const back = await viaApp();
    const { clientId: client_id = '', clientSecret: client_secret = '' } = credential.authenticationConfig;
    const body = new URLSearchParams({
      ...{ grant_type: 'authorization_code', code: back.searchParams.get('code') as string, redirect_uri: APP },
      ...{ client_id, client_secret },
    });
    expect((await fetch(`${provider.issuer}/token`, { method: 'POST', body })).status).toBe(400);
    const other = await viaApp();
    expect((await complete(editor, other)).status).toBe(200);
  });

  it('PKCE substitution: a challenge of the attacker in the address', async () => {
    const { authorizeUrl, ...signIn } = await begin(editor, instance, { redirectUri: APP });
    const own = moved(new URL(authorizeUrl), ({ searchParams }) => searchParams.set('code_challenge', 'x'.repeat(43)));
    expect(refusalOf(await complete(editor, await agree(provider, { ...signIn, authorizeUrl: own.href })))).toEqual(
      REFUSED,
    );
    expect(provider.exchanges.at(-1)).toMatchObject({ error: 'invalid_grant' });
    expect((await complete(editor, await viaApp())).status).toBe(200);
  });
});

describe('mix-up', () => {
  it.each([
    ['of another issuer', () => hostile.issuer],
    ['that is no address', () => 'null'],
    ['that begins like the right one', () => `${provider.issuer}.evil.test`],
    ['that is given twice', () => [provider.issuer, hostile.issuer]],
  ])('iss %s', async (_, iss) => {
    const back = await viaApp();
    expect(back.searchParams.get('iss')).toBe(provider.issuer);
    expect(refusalOf(await complete(editor, back, { params: { iss: iss() } }))).toEqual(REFUSED);
    expect(codesTraded(provider)).toBe(traded);
    expect((await complete(editor, await viaApp())).status).toBe(200);
  });

  it('a hostile server has an honest one answer, for an address that both share', async () => {
    relayToHonest();
    const signIn = await begin(editor, await aHostileConnection(), { redirectUri: APP });
    const back = await agree(provider, signIn);
    expect(back.searchParams.get('iss')).toBe(provider.issuer);
    expect(refusalOf(await complete(editor, back))).toEqual(REFUSED);
    expect(hostile.codes).toEqual([]);
  });

  it('COAT: a hostile connector has an honest server answer, which does not know its page', async () => {
    relayToHonest();
    const { authorizeUrl } = await begin(editor, await aHostileConnection());
    await expect(provider.authorize(authorizeUrl)).rejects.toThrow('400');
    expect(hostile.codes).toEqual([]);
  });

  it.each([
    ['of the same workspace', () => editor],
    ['of a hostile workspace', () => service.as('editor', { slug: 'other' })],
  ])('COAT: the page of an honest connector takes no state of a hostile connector %s', async (_, client) => {
    const honest = await begin(editor, instance);
    relayToHonest({ redirect_uri: honest.redirectUri });
    const signIn = await begin(client(), await aHostileConnection(client()));
    await provider.allowRedirect(honest.redirectUri);
    // What a browser does: the relay changed where it comes back to.
    const relayed = (await fetch(signIn.authorizeUrl, { redirect: 'manual' })).headers.get('location') as string;
    const back = await provider.authorize(relayed);
    expect([back.href.startsWith(honest.redirectUri), back.searchParams.get('state')]).toEqual([true, signIn.state]);
    expect(await shown(back, signIn)).toEqual(ENDED);
    expect([hostile.codes, codesTraded(provider)]).toEqual([[], traded]);
  });

  it('control: the hostile server is sent its own code', async () => {
    const signIn = await begin(editor, await aHostileConnection());
    const back = (await fetch(signIn.authorizeUrl, { redirect: 'manual' })).headers.get('location') as string;
    expect((await open(back, signIn)).title).toContain('hostile is connected');
    expect(hostile.codes).toEqual(['code-of-the-hostile']);
  });

  it('the slug of another workspace, or of another connector, in the address of the page', async () => {
    const { back, ...signIn } = await viaPage();
    const { slug } = (await aHostileConnection()).connector;
    for (const [from, to] of [
      ['/demo/', '/other/'],
      ['/demo/', '/nobody/'],
      ['/demo/', '/DEMO/'],
      [instance.connector.slug, slug],
    ])
      expect(
        await shown(
          moved(back, (url) => (url.pathname = url.pathname.replace(from, to))),
          signIn,
        ),
      ).toEqual(ENDED);
    expect(await shown(back, signIn)).toEqual(CONNECTED);
  });
});

describe('redirects', () => {
  it.each([
    ['a prefix', 'https://client.test/call'],
    ['a suffix', `${APP}/more`],
    ['a slash', `${APP}/`],
    ['a dot segment', `${APP}/../callback`],
    ['another case', 'https://client.test/Callback'],
    ['another case of the host', 'https://CLIENT.test/callback'],
    ['a query', `${APP}?next=evil`],
    ['a port', 'https://client.test:443/callback'],
    ['userinfo', 'https://client.test@evil.test/callback'],
    ['a fragment', `${APP}#x`],
    ['another scheme', 'http://client.test/callback'],
    ['javascript:', 'javascript:alert(1)//https://client.test/callback'],
    ['blanks around it', ` ${APP}`],
    ['another host', 'https://evil.test/callback'],
  ])('unlisted: %s', async (_, redirectUri) => {
    expect(refusalOf(await start(editor, instance, { redirectUri }))).toEqual([400, 'BAD_REQUEST']);
    expect((await start(editor, instance, { redirectUri: APP })).status).toBe(200);
  });

  it("unlisted: another workspace's", async () => {
    const other = service.as('owner', { slug: 'other' });
    await listAddresses(other, [APP, 'https://other.test/callback']);
    const asked = { redirectUri: 'https://other.test/callback' };
    expect(refusalOf(await start(editor, instance, asked))).toEqual([400, 'BAD_REQUEST']);
    const own = await aConnection(service.as('editor', { slug: 'other' }), provider, 'client_secret_post');
    expect((await start(service.as('editor', { slug: 'other' }), own, asked)).status).toBe(200);
  });

  it("listed: the service's own page for another connector", async () => {
    const { redirectUri } = await begin(editor, await aHostileConnection());
    await listAddresses(owner, [APP, redirectUri]);
    expect(refusalOf(await start(editor, instance, { redirectUri }))).toEqual([400, 'BAD_REQUEST']);
    await listAddresses(owner, [APP]);
    expect((await start(editor, instance, { redirectUri: APP })).status).toBe(200);
  });

  it.each([
    'javascript:alert(1)',
    'http://client.test/',
    'https://a@client.test/',
    `${APP}#`,
    'data:text/html,x',
    '/x',
  ])('never listed: %s', async (address) => {
    await expect(listAddresses(owner, [address])).rejects.toThrow('BAD_REQUEST');
    await listAddresses(owner, [APP]);
  });

  it('open redirect: nothing that is sent changes where the browser goes', async () => {
    const asked = { authorizeUrl: 'https://evil.test', redirectUri: APP };
    expect(refusalOf(await start(editor, instance, asked))).toEqual([400, 'BAD_REQUEST']);
    const clientId = 'x&redirect_uri=https://evil.test#@evil.test';
    const own = await connect(editor, 'oauth2-auth-code-pkce', {
      ...credential,
      authenticationConfig: { clientId, clientSecret: 's' },
    });
    const url = new URL((await begin(editor, own.body.data, { redirectUri: APP })).authorizeUrl);
    expect([url.origin, url.pathname, url.hash]).toEqual([provider.issuer, '/auth', '']);
    expect([url.searchParams.getAll('redirect_uri'), url.searchParams.get('client_id')]).toEqual([[APP], clientId]);
  });
});

describe('addresses of the customer', () => {
  const key = provider.credentials.private_key_jwt;
  const configFor = (issuer: string) => ({ ...key.authenticationConfig, host: new URL(issuer).host });
  const connectOwn = async (issuer: string) =>
    (await connect(editor, 'own-server', { ...key, authenticationConfig: configFor(issuer) })).body.data;

  it('audience injection: an assertion is for the very server that it is sent to', async () => {
    const own = await connectOwn(hostile.issuer);
    const signIn = await begin(editor, own, { redirectUri: APP });
    const back = new URL((await fetch(signIn.authorizeUrl, { redirect: 'manual' })).headers.get('location') as string);
    expect((await complete(editor, back)).status).toBe(200);
    const { aud } = decodeJwt(hostile.forms.at(-1)?.client_assertion ?? '');
    expect(aud).toBe(`${hostile.issuer}/token`);

    const honest = await connectOwn(provider.issuer);
    expect((await complete(editor, await viaApp(editor, honest))).status).toBe(200);
  });

  it.each([
    ['configure', '/api/connectors/configure'],
    ['start', '/api/connectors/connector-oauth-start'],
  ])('a stored key is not signed with for another server after %s changes the address', async (_, path) => {
    const own = await connectOwn(provider.issuer);
    const spoils = hostile.forms.length;
    const authenticationConfig = { ...configFor(hostile.issuer), privateKey: '' };
    const { status, body } = await editor.post(path, { instanceId: own.id, authenticationConfig });
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/privateKey must be entered anew, since host changes/),
    ]);
    expect(hostile.forms).toHaveLength(spoils);
    expect((await complete(editor, await viaApp(editor, own))).status).toBe(200);
  });

  it('a session does not outlive a change of the address, and neither does a sign-in under way', async () => {
    const own = await connectOwn(provider.issuer);
    const back = await viaApp(editor, own);
    const change = { instanceId: own.id, authenticationConfig: configFor(hostile.issuer) };
    const { body } = await editor.post('/api/connectors/configure', change);
    expect(body.data).toMatchObject({ credentialStatus: 'manual_validation_required' });
    const spoils = hostile.codes.length;
    expect(refusalOf(await complete(editor, back))).toEqual([409, 'CONFLICT']);
    expect(hostile.codes).toHaveLength(spoils);
  });
});

describe('changes between start and end', () => {
  it('configure: the code is not used, and the new credentials stay', async () => {
    const back = await viaApp();
    const { authenticationConfig } = credential;
    const { body } = await editor.post('/api/connectors/configure', { instanceId: instance.id, authenticationConfig });
    expect(refusalOf(await complete(editor, back))).toEqual([409, 'CONFLICT']);
    expect(codesTraded(provider)).toBe(traded);
    const { credentialMetadataId } = body.data;
    expect(await read(editor, instance)).toMatchObject({ credentialMetadataId });
    expect((await complete(editor, await viaApp())).status).toBe(200);
  });

  it('another sign-in that is completed first', async () => {
    const [late, soon] = [await viaApp(), await viaApp()];
    expect((await complete(editor, soon)).status).toBe(200);
    expect(refusalOf(await complete(editor, late))).toEqual([409, 'CONFLICT']);
  });

  it('disconnected', async () => {
    const [app, page] = [await viaApp(), await viaPage()];
    await editor.request(`/api/vendors/tenant-connector-instances/${instance.id}`, { method: 'DELETE' });
    expect(refusalOf(await complete(editor, app))).toEqual([404, 'NOT_FOUND']);
    expect(await shown(page.back, page)).toEqual(ENDED);
    expect(codesTraded(provider)).toBe(traded);
  });

  it('the starter is suspended', async () => {
    const id = await userIdOf(owner, demoAddress('admin'));
    const [app, page] = [await viaApp(admin), await viaPage(admin)];
    await answerOf(owner, UPDATE_USER, { id, input: { status: 'SUSPENDED' } });
    expect(refusalOf(await complete(admin, app))).toEqual([403, 'WORKSPACE_FORBIDDEN']);
    expect(await shown(page.back, page)).toEqual(ENDED);
    expect(codesTraded(provider)).toBe(traded);
    await answerOf(owner, UPDATE_USER, { id, input: { status: 'ACTIVE' } });
    expect(await shown(page.back, page)).toEqual(CONNECTED);
  });

  it('the starter may connect no longer', async () => {
    const id = await userIdOf(owner, demoAddress('admin'));
    const [app, page] = [await viaApp(admin), await viaPage(admin)];
    await giveRoles(owner, id, [await roleIdOf(owner, 'viewer')]);
    expect(refusalOf(await complete(admin, app))).toEqual([403, 'FORBIDDEN']);
    expect(await shown(page.back, page)).toEqual(ENDED);
    expect(codesTraded(provider)).toBe(traded);
    await giveRoles(owner, id, [await roleIdOf(owner, 'admin')]);
    expect(await shown(page.back, page)).toEqual(CONNECTED);
  });

  it('the API key that started it is revoked', async () => {
    const program = await aProgram(service, ['connectors:read', 'connectors:write']);
    const [gone, kept] = [await viaPage(program), await viaPage(program)];
    expect(await shown(kept.back, kept)).toEqual(CONNECTED);
    const again = await viaPage(program);
    await rowsOf(service, 'update api_key set revoked_at = now()');
    for (const { back, cookie } of [gone, again]) expect(await shown(back, { cookie })).toEqual(ENDED);
    expect(codesTraded(provider)).toBe(traded + 1);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
async function aHostileConnection(client: Client = editor): Promise<any> {
  const authenticationConfig = { clientId: 'mine', clientSecret: 'secret-of-mine' };
  return (await connect(client, 'hostile', { authenticationConfig, secrets: [] })).body.data;
}

function relayToHonest(parameters: Record<string, string> = {}): void {
  const { clientId: client_id = '' } = credential.authenticationConfig;
  hostile.relayTo({ authorizeUrl: `${provider.issuer}/auth`, parameters: { client_id, ...parameters } });
}

async function expire({ searchParams }: URL): Promise<void> {
  const hash = "encode(sha256(convert_to($1, 'UTF8')), 'hex')";
  const statement = `update oauth_flow set expires_at = now() - interval '1 second' where state_hash = ${hash} returning id`;
  const rows = await rowsOf(service, statement, [searchParams.get('state')]);
  if (rows.length !== 1) throw new Error('there is no such sign-in');
}
