import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aHostileConnection, aHostileProvider } from '../../../support/identity/hostile-provider.js';
import {
  APP_REDIRECT_URI,
  allowRedirectUris,
  aPendingConnection,
  approveSignIn,
  beginSignIn,
  completeSignIn,
  openPage,
  signInByApp,
  startSignIn,
} from '../../../support/identity/oauth-sign-in.js';
import { ownServerConnector } from '../../../support/identity/sign-in-connectors.js';
import { statusAndErrorCode } from '../../../support/service/replies.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { aConnectedWorkspace, connect } from '../../../support/sources/connected-workspace.js';

const PUBLIC_URL = 'https://taproot.test/base';
const hostile = await aHostileProvider();
const { service, provider } = await aConnectedWorkspace(
  { PUBLIC_URL },
  { hostileIssuer: hostile.issuer, more: ({ origin }) => [ownServerConnector(origin)] },
);
afterAll(() => hostile.close());

const editor = service.as('editor');
const owner = service.as('owner');
const credential = provider.credentials.client_secret_post;

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let instance: any;
beforeAll(async () => {
  await allowRedirectUris(owner, [APP_REDIRECT_URI]);
  await createTestWorkspace(service, 'other');
});
beforeEach(async () => {
  instance = await aPendingConnection(editor, provider, 'client_secret_post');
});

describe('with an HTTPS base URL that has a path', () => {
  it('the cookie is limited to this host and to HTTPS, and is recognized behind the proxy', async () => {
    const { headers } = await startSignIn(editor, instance);
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-taproot_oauth_.*; Path=\/; .*; Secure$/);

    const signIn = await beginSignIn(editor, instance);
    expect(signIn.redirectUri).toBe(`${PUBLIC_URL}/oauth/callback/demo/${instance.connector.slug}`);
    const { href } = await approveSignIn(provider, signIn);
    const page = await openPage(href.replace(PUBLIC_URL, service.url), signIn);
    expect(page.title).toMatch(/is connected$/);
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
    expect(statusAndErrorCode(await startSignIn(editor, instance, { redirectUri }))).toEqual([400, 'BAD_REQUEST']);
    expect((await startSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI })).status).toBe(200);
  });

  it('rejects a URI on the list of another workspace', async () => {
    const other = service.as('owner', { slug: 'other' });
    await allowRedirectUris(other, [APP_REDIRECT_URI, 'https://other.test/callback']);
    const body = { redirectUri: 'https://other.test/callback' };
    expect(statusAndErrorCode(await startSignIn(editor, instance, body))).toEqual([400, 'BAD_REQUEST']);
    const own = await aPendingConnection(service.as('editor', { slug: 'other' }), provider, 'client_secret_post');
    expect((await startSignIn(service.as('editor', { slug: 'other' }), own, body)).status).toBe(200);
  });

  it("rejects the service's own page for another connector, even if listed", async () => {
    const { redirectUri } = await beginSignIn(editor, await aHostileConnection(editor));
    await allowRedirectUris(owner, [APP_REDIRECT_URI, redirectUri]);
    expect(statusAndErrorCode(await startSignIn(editor, instance, { redirectUri }))).toEqual([400, 'BAD_REQUEST']);
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
    const body = { authorizeUrl: 'https://evil.test', redirectUri: APP_REDIRECT_URI };
    expect(statusAndErrorCode(await startSignIn(editor, instance, body))).toEqual([400, 'BAD_REQUEST']);
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
    expect((await completeSignIn(editor, await signInByApp(editor, provider, honest))).status).toBe(200);
  });

  it.each([
    ['configure', '/api/connectors/configure'],
    ['start', '/api/connectors/connector-oauth-start'],
  ])('after %s changes the address, does not sign with the stored key for the new server', async (_, path) => {
    const own = await connectOwn(provider.issuer);
    const before = hostile.forms.length;
    const authenticationConfig = { ...configFor(hostile.issuer), privateKey: '' };
    const { status, body } = await editor.post(path, { instanceId: own.id, authenticationConfig });
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/privateKey must be submitted again, because host changes/),
    ]);
    expect(hostile.forms).toHaveLength(before);
    expect((await completeSignIn(editor, await signInByApp(editor, provider, own))).status).toBe(200);
  });

  it('a session and a started sign-in do not outlive a change to the address', async () => {
    const own = await connectOwn(provider.issuer);
    const back = await signInByApp(editor, provider, own);
    const change = { instanceId: own.id, authenticationConfig: configFor(hostile.issuer) };
    const { body } = await editor.post('/api/connectors/configure', change);
    expect(body.data).toMatchObject({ credentialStatus: 'manual_validation_required' });
    const before = hostile.codes.length;
    expect(statusAndErrorCode(await completeSignIn(editor, back))).toEqual([409, 'CONFLICT']);
    expect(hostile.codes).toHaveLength(before);
  });
});
