import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoEmail } from '../../../../src/tenancy/workspaces/seed-demo.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { aHostileProvider } from '../../../support/identity/hostile-provider.js';
import {
  APP_REDIRECT_URI,
  allowRedirectUris,
  aPendingConnection,
  approveSignIn,
  beginSignIn,
  CONNECTED_PAGE,
  CONSENT_PAGE,
  changeUrl,
  completeSignIn,
  countCodeExchanges,
  ENDED_PAGE,
  openPage,
  signInByPage,
  startSignIn,
  statusAndTitle,
} from '../../../support/identity/oauth-sign-in.js';
import {
  anApiKeyClient,
  queryField,
  roleIdOf,
  setUserRoles,
  UPDATE_USER,
  userIdOf,
} from '../../../support/service/callers.js';
import type { Client, Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { aConnectedWorkspace, connect, getInstance } from '../../../support/sources/connected-workspace.js';
import { aFakeVendorConnector } from '../../../support/vendors/fake-vendor-definitions.js';
import { aCodeStrategy } from '../../../support/vendors/vendor-strategies.js';

const hostile = await aHostileProvider();
const { service, provider } = await aConnectedWorkspace(
  {},
  {
    hostileIssuer: hostile.issuer,
    more: ({ origin }) => {
      // Its authorization server belongs to the customer, at one of these two addresses.
      const strategy = aCodeStrategy('http://{host}', 'private_key_jwt');
      const { properties, ...schema } = strategy.configSchema as { properties: object };
      const host = { type: 'string', pattern: '^127\\.0\\.0\\.1:\\d+$' };
      return [
        aFakeVendorConnector('own-server', {
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
let exchangesBefore: number;
beforeAll(async () => {
  await allowRedirectUris(owner, [APP_REDIRECT_URI]);
  await createTestWorkspace(service, 'other');
  await allowRedirectUris(service.as('owner', { slug: 'other' }), [APP_REDIRECT_URI]);
});
beforeEach(async () => {
  instance = await aPendingConnection(editor, provider, 'client_secret_post');
  exchangesBefore = countCodeExchanges(provider);
  hostile.redirectBackWith({ code: 'code-of-the-hostile', iss: hostile.issuer });
});

const viaApp = async (client = editor, own = instance) =>
  approveSignIn(provider, await beginSignIn(client, own, { redirectUri: APP_REDIRECT_URI }));
const errorOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')];
const INVALID = [400, 'OAUTH_STATE_INVALID'];
const REFUSED = [400, 'OAUTH_REFUSED'];

const viaPage = (client = editor, own = instance) => signInByPage(client, provider, own);

describe('the state of a sign-in', () => {
  it('is rejected when used twice', async () => {
    const back = await viaApp();
    expect((await completeSignIn(editor, back)).status).toBe(200);
    expect(errorOf(await completeSignIn(editor, back))).toEqual(INVALID);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore + 1);
  });

  it('is rejected after a rejected code', async () => {
    const back = await viaApp();
    const wrong = changeUrl(back, ({ searchParams }) => searchParams.set('code', 'wrong'));
    expect(errorOf(await completeSignIn(editor, wrong))).toEqual(REFUSED);
    expect(errorOf(await completeSignIn(editor, back))).toEqual(INVALID);
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });

  it('is rejected from another user', async () => {
    const back = await viaApp();
    expect(errorOf(await completeSignIn(admin, back))).toEqual([403, 'FORBIDDEN']);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect((await completeSignIn(editor, back)).status).toBe(200);
  });

  it('is rejected from another workspace', async () => {
    const back = await viaApp();
    expect(errorOf(await completeSignIn(service.as('editor', { slug: 'other' }), back))).toEqual(INVALID);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect((await completeSignIn(editor, back)).status).toBe(200);
  });

  it('is rejected from the creator of the API key that started the sign-in, and the other way round', async () => {
    const program = await anApiKeyClient(service, ['connectors:read', 'connectors:write']);
    const [ofProgram, ofOwner] = [await viaApp(program), await viaApp(owner)];
    expect(errorOf(await completeSignIn(owner, ofProgram))).toEqual([403, 'FORBIDDEN']);
    expect(errorOf(await completeSignIn(program, ofOwner))).toEqual([403, 'FORBIDDEN']);
    expect((await completeSignIn(program, ofProgram)).status).toBe(200);
  });

  it('is rejected after its expiry', async () => {
    const [late, inTime] = [await viaApp(), await viaApp()];
    await expire(late);
    expect(errorOf(await completeSignIn(editor, late))).toEqual(INVALID);
    expect((await completeSignIn(editor, inTime)).status).toBe(200);

    const [page, other] = [await viaPage(), await viaPage()];
    await expire(page.back);
    expect(await statusAndTitle(page.back, page)).toEqual(ENDED_PAGE);
    expect(await statusAndTitle(other.back, other)).toEqual(CONNECTED_PAGE);
  });

  it('is rejected if unknown', async () => {
    const back = await viaApp();
    for (const state of ['x', back.searchParams.get('state')?.toUpperCase(), `${back.searchParams.get('state')} `])
      expect(errorOf(await completeSignIn(editor, back, { state }))).toEqual(INVALID);
    expect((await completeSignIn(editor, back)).status).toBe(200);
  });

  it('is accepted in one of 100 concurrent requests', async () => {
    const back = await viaApp();
    const replies = await Promise.all(Array.from({ length: 100 }, () => completeSignIn(editor, back)));
    const codes = replies.map(({ status, headers }) => headers.get('x-error-code') ?? status);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 'OAUTH_STATE_INVALID')).toHaveLength(99);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore + 1);
  });
});

describe('session fixation', () => {
  it('COSF by an application: rejects a sign-in of an attacker that a victim completes', async () => {
    const back = await viaApp(admin);
    expect(errorOf(await completeSignIn(editor, back))).toEqual([403, 'FORBIDDEN']);
    expect(await getInstance(editor, instance)).toMatchObject({ credentialStatus: 'manual_validation_required' });
  });

  it("COSF by the page: asks the victim's browser for consent, with names of user and workspace, and completes nothing", async () => {
    const { back } = await viaPage();
    const page = await openPage(back);
    expect([page.status, page.title]).toEqual(CONSENT_PAGE);
    for (const name of [demoEmail('editor'), 'Demo']) expect(page.text).toContain(name);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect(await getInstance(editor, instance)).toMatchObject({ credentialStatus: 'manual_validation_required' });
  });

  it("rejects the cookie of another sign-in, such as the attacker's", async () => {
    const [own, other] = [await viaPage(), await viaPage(admin)];
    expect(await statusAndTitle(own.back, { cookie: other.cookie })).toEqual(CONSENT_PAGE);
    const renamed = `${own.cookie.split('=')[0]}=${other.cookie.split('=')[1]}`;
    expect(await statusAndTitle(own.back, { cookie: renamed })).toEqual(CONSENT_PAGE);
    expect(await statusAndTitle(own.back, own)).toEqual(CONNECTED_PAGE);
  });

  it('rejects a form posted from another site', async () => {
    const { back } = await viaPage();
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await statusAndTitle(back, { method: 'POST', headers: { 'sec-fetch-site': site } })).toEqual(CONSENT_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect(await statusAndTitle(back, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })).toEqual(
      CONNECTED_PAGE,
    );
  });

  it('CORF: rejects a code that the victim did not request', async () => {
    const { back, ...own } = await viaPage(admin);
    const forged = changeUrl(back, ({ searchParams }) => searchParams.delete('state'));
    expect(await statusAndTitle(forged, own)).toEqual(ENDED_PAGE);
    expect(errorOf(await completeSignIn(editor, back, { state: 'x' }))).toEqual(INVALID);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect(await statusAndTitle(back, own)).toEqual(CONNECTED_PAGE);
  });

  it('CORF: rejects the redirect of a hostile connector to the page of an honest one', async () => {
    const [honest, other] = [await viaPage(admin), await beginSignIn(editor, await aHostileConnection())];
    const forged = changeUrl(honest.back, ({ searchParams }) => searchParams.set('state', other.state));
    expect(await statusAndTitle(forged, other)).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect(await statusAndTitle(honest.back, honest)).toEqual(CONNECTED_PAGE);
  });
});

describe('authorization codes', () => {
  it('code injection: rejects a code of another sign-in', async () => {
    const [victim, attacker] = [await viaApp(), await viaApp(admin)];
    const code = attacker.searchParams.get('code');
    expect(errorOf(await completeSignIn(editor, victim, { code }))).toEqual(REFUSED);
    expect(provider.exchanges.at(-1)).toMatchObject({ error: 'invalid_grant' });
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });

  it('PKCE downgrade: the provider rejects another method or a missing challenge', async () => {
    const { authorizeUrl, ...signIn } = await beginSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI });
    const { searchParams } = new URL(authorizeUrl);
    expect([searchParams.get('code_challenge_method'), searchParams.get('code_challenge')?.length]).toEqual([
      'S256',
      43,
    ]);
    const dropped = changeUrl(new URL(authorizeUrl), (url) => {
      url.searchParams.delete('code_challenge');
      url.searchParams.delete('code_challenge_method');
    });
    const back = await approveSignIn(provider, { ...signIn, authorizeUrl: dropped.href });
    expect(back.searchParams.get('error')).toBe('invalid_request');
    expect(errorOf(await completeSignIn(editor, back))).toEqual(REFUSED);
  });

  it('PKCE: a code without the verifier, which the service sends, is worthless', async () => {
    const back = await viaApp();
    const { clientId: client_id = '', clientSecret: client_secret = '' } = credential.authenticationConfig;
    const body = new URLSearchParams({
      ...{
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') as string,
        redirect_uri: APP_REDIRECT_URI,
      },
      ...{ client_id, client_secret },
    });
    expect((await fetch(`${provider.issuer}/token`, { method: 'POST', body })).status).toBe(400);
    const other = await viaApp();
    expect((await completeSignIn(editor, other)).status).toBe(200);
  });

  it("PKCE substitution: rejects a code for an attacker's challenge", async () => {
    const { authorizeUrl, ...signIn } = await beginSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI });
    const own = changeUrl(new URL(authorizeUrl), ({ searchParams }) =>
      searchParams.set('code_challenge', 'x'.repeat(43)),
    );
    expect(
      errorOf(await completeSignIn(editor, await approveSignIn(provider, { ...signIn, authorizeUrl: own.href }))),
    ).toEqual(REFUSED);
    expect(provider.exchanges.at(-1)).toMatchObject({ error: 'invalid_grant' });
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });
});

describe('mix-up attacks', () => {
  it.each([
    ['for another issuer', () => hostile.issuer],
    ['that is not a URL', () => 'null'],
    ['that starts like the right one', () => `${provider.issuer}.evil.test`],
    ['that is sent twice', () => [provider.issuer, hostile.issuer]],
  ])('iss %s', async (_, iss) => {
    const back = await viaApp();
    expect(back.searchParams.get('iss')).toBe(provider.issuer);
    expect(errorOf(await completeSignIn(editor, back, { params: { iss: iss() } }))).toEqual(REFUSED);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });

  it('rejects the response of an honest server forwarded by a hostile one, for an address that both share', async () => {
    relayToHonest();
    const signIn = await beginSignIn(editor, await aHostileConnection(), { redirectUri: APP_REDIRECT_URI });
    const back = await approveSignIn(provider, signIn);
    expect(back.searchParams.get('iss')).toBe(provider.issuer);
    expect(errorOf(await completeSignIn(editor, back))).toEqual(REFUSED);
    expect(hostile.codes).toEqual([]);
  });

  it('COAT: an honest server rejects the page of a hostile connector', async () => {
    relayToHonest();
    const { authorizeUrl } = await beginSignIn(editor, await aHostileConnection());
    await expect(provider.authorize(authorizeUrl)).rejects.toThrow('400');
    expect(hostile.codes).toEqual([]);
  });

  it.each([
    ['in the same workspace', () => editor],
    ['in a hostile workspace', () => service.as('editor', { slug: 'other' })],
  ])('COAT: the page of an honest connector rejects the state of a hostile connector %s', async (_, client) => {
    const honest = await beginSignIn(editor, instance);
    relayToHonest({ redirect_uri: honest.redirectUri });
    const signIn = await beginSignIn(client(), await aHostileConnection(client()));
    await provider.allowRedirect(honest.redirectUri);
    // As a browser would: the relay changed the address that it returns to.
    const relayed = (await fetch(signIn.authorizeUrl, { redirect: 'manual' })).headers.get('location') as string;
    const back = await provider.authorize(relayed);
    expect([back.href.startsWith(honest.redirectUri), back.searchParams.get('state')]).toEqual([true, signIn.state]);
    expect(await statusAndTitle(back, signIn)).toEqual(ENDED_PAGE);
    expect([hostile.codes, countCodeExchanges(provider)]).toEqual([[], exchangesBefore]);
  });

  it('control: the hostile server receives its own code', async () => {
    const signIn = await beginSignIn(editor, await aHostileConnection());
    const back = (await fetch(signIn.authorizeUrl, { redirect: 'manual' })).headers.get('location') as string;
    expect((await openPage(back, signIn)).title).toContain('hostile is connected');
    expect(hostile.codes).toEqual(['code-of-the-hostile']);
  });

  it('rejects the slug of another workspace or connector in the callback URL', async () => {
    const { back, ...signIn } = await viaPage();
    const { slug } = (await aHostileConnection()).connector;
    for (const [from, to] of [
      ['/demo/', '/other/'],
      ['/demo/', '/nobody/'],
      ['/demo/', '/DEMO/'],
      [instance.connector.slug, slug],
    ])
      expect(
        await statusAndTitle(
          changeUrl(back, (url) => (url.pathname = url.pathname.replace(from, to))),
          signIn,
        ),
      ).toEqual(ENDED_PAGE);
    expect(await statusAndTitle(back, signIn)).toEqual(CONNECTED_PAGE);
  });
});

describe('redirect URIs', () => {
  it.each([
    ['a prefix', 'https://client.test/call'],
    ['a suffix', `${APP_REDIRECT_URI}/more`],
    ['a slash', `${APP_REDIRECT_URI}/`],
    ['a dot segment', `${APP_REDIRECT_URI}/../callback`],
    ['another case', 'https://client.test/Callback'],
    ['another case of the host', 'https://CLIENT.test/callback'],
    ['a query', `${APP_REDIRECT_URI}?next=evil`],
    ['a port', 'https://client.test:443/callback'],
    ['userinfo', 'https://client.test@evil.test/callback'],
    ['a fragment', `${APP_REDIRECT_URI}#x`],
    ['another scheme', 'http://client.test/callback'],
    ['javascript:', 'javascript:alert(1)//https://client.test/callback'],
    ['spaces around it', ` ${APP_REDIRECT_URI}`],
    ['another host', 'https://evil.test/callback'],
  ])('rejects an unlisted URI: %s', async (_, redirectUri) => {
    expect(errorOf(await startSignIn(editor, instance, { redirectUri }))).toEqual([400, 'BAD_REQUEST']);
    expect((await startSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI })).status).toBe(200);
  });

  it('rejects a URI on the list of another workspace', async () => {
    const other = service.as('owner', { slug: 'other' });
    await allowRedirectUris(other, [APP_REDIRECT_URI, 'https://other.test/callback']);
    const asked = { redirectUri: 'https://other.test/callback' };
    expect(errorOf(await startSignIn(editor, instance, asked))).toEqual([400, 'BAD_REQUEST']);
    const own = await aPendingConnection(service.as('editor', { slug: 'other' }), provider, 'client_secret_post');
    expect((await startSignIn(service.as('editor', { slug: 'other' }), own, asked)).status).toBe(200);
  });

  it("rejects the service's own page for another connector, even if listed", async () => {
    const { redirectUri } = await beginSignIn(editor, await aHostileConnection());
    await allowRedirectUris(owner, [APP_REDIRECT_URI, redirectUri]);
    expect(errorOf(await startSignIn(editor, instance, { redirectUri }))).toEqual([400, 'BAD_REQUEST']);
    await allowRedirectUris(owner, [APP_REDIRECT_URI]);
    expect((await startSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI })).status).toBe(200);
  });

  it.each([
    'javascript:alert(1)',
    'http://client.test/',
    'https://a@client.test/',
    `${APP_REDIRECT_URI}#`,
    'data:text/html,x',
    '/x',
  ])('cannot be listed: %s', async (address) => {
    await expect(allowRedirectUris(owner, [address])).rejects.toThrow('BAD_REQUEST');
    await allowRedirectUris(owner, [APP_REDIRECT_URI]);
  });

  it('open redirect: no parameter changes where the browser goes', async () => {
    const asked = { authorizeUrl: 'https://evil.test', redirectUri: APP_REDIRECT_URI };
    expect(errorOf(await startSignIn(editor, instance, asked))).toEqual([400, 'BAD_REQUEST']);
    const clientId = 'x&redirect_uri=https://evil.test#@evil.test';
    const own = await connect(editor, 'oauth2-auth-code-pkce', {
      ...credential,
      authenticationConfig: { clientId, clientSecret: 's' },
    });
    const url = new URL((await beginSignIn(editor, own.body.data, { redirectUri: APP_REDIRECT_URI })).authorizeUrl);
    expect([url.origin, url.pathname, url.hash]).toEqual([provider.issuer, '/auth', '']);
    expect([url.searchParams.getAll('redirect_uri'), url.searchParams.get('client_id')]).toEqual([
      [APP_REDIRECT_URI],
      clientId,
    ]);
  });
});

describe("addresses in a connection's config", () => {
  const key = provider.credentials.private_key_jwt;
  const configFor = (issuer: string) => ({ ...key.authenticationConfig, host: new URL(issuer).host });
  const connectOwn = async (issuer: string) =>
    (await connect(editor, 'own-server', { ...key, authenticationConfig: configFor(issuer) })).body.data;

  it('audience injection: an assertion names the server that it is sent to', async () => {
    const own = await connectOwn(hostile.issuer);
    const signIn = await beginSignIn(editor, own, { redirectUri: APP_REDIRECT_URI });
    const back = new URL((await fetch(signIn.authorizeUrl, { redirect: 'manual' })).headers.get('location') as string);
    expect((await completeSignIn(editor, back)).status).toBe(200);
    const { aud } = decodeJwt(hostile.forms.at(-1)?.client_assertion ?? '');
    expect(aud).toBe(`${hostile.issuer}/token`);

    const honest = await connectOwn(provider.issuer);
    expect((await completeSignIn(editor, await viaApp(editor, honest))).status).toBe(200);
  });

  it.each([
    ['configure', '/api/connectors/configure'],
    ['start', '/api/connectors/connector-oauth-start'],
  ])('after %s changes the address, does not sign with the stored key for the new server', async (_, path) => {
    const own = await connectOwn(provider.issuer);
    const spoils = hostile.forms.length;
    const authenticationConfig = { ...configFor(hostile.issuer), privateKey: '' };
    const { status, body } = await editor.post(path, { instanceId: own.id, authenticationConfig });
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/privateKey must be submitted again, because host changes/),
    ]);
    expect(hostile.forms).toHaveLength(spoils);
    expect((await completeSignIn(editor, await viaApp(editor, own))).status).toBe(200);
  });

  it('a session and a started sign-in do not outlive a change to the address', async () => {
    const own = await connectOwn(provider.issuer);
    const back = await viaApp(editor, own);
    const change = { instanceId: own.id, authenticationConfig: configFor(hostile.issuer) };
    const { body } = await editor.post('/api/connectors/configure', change);
    expect(body.data).toMatchObject({ credentialStatus: 'manual_validation_required' });
    const spoils = hostile.codes.length;
    expect(errorOf(await completeSignIn(editor, back))).toEqual([409, 'CONFLICT']);
    expect(hostile.codes).toHaveLength(spoils);
  });
});

describe('changes between start and completion', () => {
  it('configure: the code is not used, and the new credentials stay', async () => {
    const back = await viaApp();
    const { authenticationConfig } = credential;
    const { body } = await editor.post('/api/connectors/configure', { instanceId: instance.id, authenticationConfig });
    expect(errorOf(await completeSignIn(editor, back))).toEqual([409, 'CONFLICT']);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    const { credentialMetadataId } = body.data;
    expect(await getInstance(editor, instance)).toMatchObject({ credentialMetadataId });
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });

  it('rejects the sign-in after another one was completed', async () => {
    const [late, soon] = [await viaApp(), await viaApp()];
    expect((await completeSignIn(editor, soon)).status).toBe(200);
    expect(errorOf(await completeSignIn(editor, late))).toEqual([409, 'CONFLICT']);
  });

  it('rejects the sign-in after the connection was deleted', async () => {
    const [app, page] = [await viaApp(), await viaPage()];
    await editor.request(`/api/vendors/tenant-connector-instances/${instance.id}`, { method: 'DELETE' });
    expect(errorOf(await completeSignIn(editor, app))).toEqual([404, 'NOT_FOUND']);
    expect(await statusAndTitle(page.back, page)).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
  });

  it('rejects the sign-in after its user was suspended', async () => {
    const id = await userIdOf(owner, demoEmail('admin'));
    const [app, page] = [await viaApp(admin), await viaPage(admin)];
    await queryField(owner, UPDATE_USER, { id, input: { status: 'SUSPENDED' } });
    expect(errorOf(await completeSignIn(admin, app))).toEqual([403, 'WORKSPACE_FORBIDDEN']);
    expect(await statusAndTitle(page.back, page)).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    await queryField(owner, UPDATE_USER, { id, input: { status: 'ACTIVE' } });
    expect(await statusAndTitle(page.back, page)).toEqual(CONNECTED_PAGE);
  });

  it('rejects the sign-in after its user lost the permission', async () => {
    const id = await userIdOf(owner, demoEmail('admin'));
    const [app, page] = [await viaApp(admin), await viaPage(admin)];
    await setUserRoles(owner, id, [await roleIdOf(owner, 'viewer')]);
    expect(errorOf(await completeSignIn(admin, app))).toEqual([403, 'FORBIDDEN']);
    expect(await statusAndTitle(page.back, page)).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    await setUserRoles(owner, id, [await roleIdOf(owner, 'admin')]);
    expect(await statusAndTitle(page.back, page)).toEqual(CONNECTED_PAGE);
  });

  it('rejects the sign-in after its API key was revoked', async () => {
    const program = await anApiKeyClient(service, ['connectors:read', 'connectors:write']);
    const [gone, kept] = [await viaPage(program), await viaPage(program)];
    expect(await statusAndTitle(kept.back, kept)).toEqual(CONNECTED_PAGE);
    const again = await viaPage(program);
    await queryAsOwner(service, 'update api_key set revoked_at = now()');
    for (const { back, cookie } of [gone, again]) expect(await statusAndTitle(back, { cookie })).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore + 1);
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
  const rows = await queryAsOwner(service, statement, [searchParams.get('state')]);
  if (rows.length !== 1) throw new Error('The sign-in does not exist.');
}
