import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { CLIENT_AUTH_METHODS, PROVIDER_SCOPES } from '../../../support/identity/oauth-provider.js';
import {
  APP_REDIRECT_URI,
  allowRedirectUris,
  aPendingConnection,
  approveSignIn,
  beginSignIn,
  changeUrl,
  completeSignIn,
  openPage,
  signInByApp,
  startSignIn,
} from '../../../support/identity/oauth-sign-in.js';
import { signInConnectors } from '../../../support/identity/sign-in-connectors.js';
import { findLeaks } from '../../../support/secrets/find-leaks.js';
import { queryField } from '../../../support/service/callers.js';
import {
  aConnectedWorkspace,
  connect,
  getInstance,
  validateCredential,
} from '../../../support/sources/connected-workspace.js';
import { replyEcho, replyServerError, replyWith } from '../../../support/vendors/vendor-responses.js';

const { service, provider, vendor } = await aConnectedWorkspace({}, { more: signInConnectors });
const editor = service.as('editor');
const owner = service.as('owner');
const credential = provider.credentials.client_secret_post;

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let instance: any;
beforeAll(() => allowRedirectUris(owner, [APP_REDIRECT_URI]));
beforeEach(async () => {
  instance = await aPendingConnection(editor, provider, 'client_secret_post');
});

const viaApp = (more: object = {}, own = instance) => signInByApp(editor, provider, own, more);

describe('a sign-in', () => {
  it.each(CLIENT_AUTH_METHODS)(
    'can be completed by an application, with client authentication by %s',
    async (method) => {
      instance = await aPendingConnection(editor, provider, method);
      expect(instance).toMatchObject({ credentialStatus: 'manual_validation_required', hasValidCredentials: false });
      const { status, body } = await completeSignIn(editor, await viaApp());
      expect([status, body.data]).toMatchObject([
        200,
        {
          instance: { id: instance.id, connectionStatus: 'idle', credentialStatus: 'valid', hasValidCredentials: true },
          validation: { status: 'valid', success: true, details: { identity: 'ada@vendor.test' } },
          ...{ grantedScopes: ['openid', 'records:read', 'profile:read'], missingScopes: ['offline_access'] },
        },
      ]);
      expect(body.data.credentialMetadataId).toBe(body.data.instance.credentialMetadataId);
    },
  );

  it('ends by default at a page of the service, unique per workspace and connector', async () => {
    const signIn = await beginSignIn(editor, instance);
    const { slug } = instance.connector;
    expect(signIn.redirectUri).toBe(`${service.url}/oauth/callback/demo/${slug}`);
    const page = await openPage(await approveSignIn(provider, signIn), { cookie: signIn.cookie });
    expect([page.status, page.title]).toEqual([200, 'Loopback oauth2-auth-code-pkce is connected']);
    expect(await getInstance(editor, instance)).toMatchObject({ credentialStatus: 'valid' });
  });

  it('ends at exactly the listed redirect URI, and expires after 10 minutes', async () => {
    const before = Date.now();
    const { body } = await startSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI });
    expect(Object.keys(body.data).sort()).toEqual(['authorizeUrl', 'expiresAt', 'state']);
    expect(Buffer.from(body.data.state, 'base64url')).toHaveLength(32);
    const minutes = (Date.parse(body.data.expiresAt) - before) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(10);
    expect(minutes).toBeLessThan(10.5);
  });

  it('creates a new credential record, which replaces the previous record', async () => {
    const { body } = await completeSignIn(editor, await viaApp());
    expect(body.data.credentialMetadataId).not.toBe(instance.credentialMetadataId);
    const query = 'query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { credentials { id status } } }';
    const { credentials } = await queryField(editor, query, { id: instance.id });
    expect(credentials).toEqual([
      { id: body.data.credentialMetadataId, status: 'valid' },
      { id: instance.credentialMetadataId, status: 'superseded' },
    ]);
  });

  it('is in the audit trail from start to end, without state, code and tokens', async () => {
    const back = await viaApp();
    const { body } = await completeSignIn(editor, back);
    const ofInstance = "select * from audit_entry where details->>'instanceId' = $1 order by action desc";
    const entries = await queryAsOwner(service, ofInstance, [instance.id]);
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(['oauth_flow.started', 'oauth_flow.completed']);
    const secrets = [back.searchParams.get('code') as string, back.searchParams.get('state') as string];
    expect(findLeaks(JSON.stringify(entries) + JSON.stringify(body), [...secrets, ...provider.tokenTexts()])).toEqual(
      [],
    );
  });

  it('stores nothing in the database that would help to complete it', async () => {
    const signIn = await beginSignIn(editor, instance);
    const rows = JSON.stringify(await queryAsOwner(service, 'select * from oauth_flow'));
    expect(findLeaks(rows, [signIn.state, signIn.cookie.split('=')[1] as string])).toEqual([]);
  });

  it('is deleted a day after its expiry, when another sign-in starts', async () => {
    await beginSignIn(editor, instance);
    await queryAsOwner(service, "update oauth_flow set expires_at = now() - interval '25 hours'");
    await beginSignIn(editor, instance);
    expect(await queryAsOwner(service, 'select count(*)::int from oauth_flow')).toEqual([{ count: 1 }]);
  });
});

describe('scopes of a sign-in', () => {
  const scopesOf = (address: string) => new URL(address).searchParams.get('scope')?.split(' ');

  it('default to the scopes of the strategy', async () => {
    expect(scopesOf((await beginSignIn(editor, instance)).authorizeUrl)).toEqual(PROVIDER_SCOPES);
  });

  it('can be narrowed, and the omitted scopes never count as missing', async () => {
    const scopes = ['openid', 'profile:read', 'profile:read'];
    const { authorizeUrl } = await beginSignIn(editor, instance, { scopes });
    expect(scopesOf(authorizeUrl)).toEqual(['openid', 'profile:read']);
    const { data } = (await completeSignIn(editor, await viaApp({ scopes }))).body;
    expect(data).toMatchObject({ missingScopes: [], validation: { status: 'valid', details: { missingScopes: [] } } });
    expect(data.grantedScopes).not.toContain('records:read');
    expect(await validateCredential(editor, data.instance)).toMatchObject({ details: { missingScopes: [] } });
  });

  it.each([[['offline_access openid']], [['admin:write']], [['RECORDS:READ']], [[]]])(
    'cannot be %j',
    async (scopes) => {
      const { status, body } = await startSignIn(editor, instance, { scopes });
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^BAD_REQUEST: scopes /)]);
    },
  );

  it('are reported as missing if not granted', async () => {
    const own = await aConnectionTo('own-token');
    vendor.behave('/own-token', replyWith(200, { access_token: 'token-17-letters', scope: 'profile:read' }));
    const { body } = await completeSignIn(editor, await viaApp({}, own));
    expect(body.data).toMatchObject({ grantedScopes: ['profile:read'], missingScopes: ['records:read'] });
    expect(body.data.instance.connectionStatusMessage).toMatch(
      /did not grant these scopes: records:read\. Grant them at the vendor/,
    );
  });

  it('default to the requested scopes if the vendor omits them (RFC 6749, section 5.1)', async () => {
    const own = await aConnectionTo('own-token');
    vendor.behave('/own-token', replyWith(200, { access_token: 'token-17-letters' }));
    const { body } = await completeSignIn(editor, await viaApp({ scopes: ['records:read'] }, own));
    expect(body.data).toMatchObject({ grantedScopes: ['records:read'], missingScopes: [] });
  });

  it('contain no secret that the vendor has received', async () => {
    const own = await aConnectionTo('own-token');
    const back = await viaApp({}, own);
    vendor.behave('/own-token', (call, response) => {
      const scope = `${[...new URLSearchParams(call.body).values()].join(' ')} profile:read`;
      replyWith(200, { access_token: 'token-17-letters', scope })(call, response);
    });
    const { status, text, body } = await completeSignIn(editor, back);
    expect([status, body.data.grantedScopes]).toEqual([200, expect.arrayContaining(['profile:read'])]);
    expect(findLeaks(text, [...credential.secrets, back.searchParams.get('code') as string])).toEqual([]);
    const verifier = new URLSearchParams(vendor.callsTo('/own-token').at(-1)?.body).get('code_verifier') as string;
    expect(findLeaks(text, [verifier])).toEqual([]);
  });
});

it('without PKCE, sends no challenge and no verifier, and completes the sign-in by its state', async () => {
  const { body } = await startSignIn(editor, await aConnectionTo('without-pkce'), { redirectUri: APP_REDIRECT_URI });
  const { authorizeUrl, state } = body.data;
  expect(authorizeUrl).toContain(`state=${state}`);
  expect(authorizeUrl).not.toContain('code_challenge');
  vendor.behave('/own-token', replyWith(200, { access_token: 'token-17-letters' }));
  const completed = await completeSignIn(editor, new URL(`${APP_REDIRECT_URI}?state=${state}&code=code-1`));
  expect(completed.status).toBe(200);
  const sent = new URLSearchParams(vendor.callsTo('/own-token').at(-1)?.body);
  expect([sent.get('code'), sent.has('client_secret'), sent.has('code_verifier')]).toEqual(['code-1', true, false]);
});

describe('a failed sign-in', () => {
  it.each([
    ['rejects the code', replyWith(400, { error: 'invalid_grant' })],
    ['is down', replyServerError()],
    ['returns no token', replyWith(200, {})],
    ['repeats the request', replyEcho(400)],
  ])('returns OAUTH_REFUSED and keeps the connection if the vendor %s', async (_, behaviour) => {
    const own = await aConnectionTo('own-token');
    vendor.behave('/own-token', behaviour);
    const back = await viaApp({}, own);
    const { status, body } = await completeSignIn(editor, back);
    expect([status, body.error]).toEqual([
      400,
      'OAUTH_REFUSED: The vendor issued no tokens for the authorization code. Start the sign-in again.',
    ]);
    expect(await getInstance(editor, own)).toMatchObject({ credentialMetadataId: own.credentialMetadataId });
  });

  it('returns OAUTH_REFUSED if the user denies access, by API and page', async () => {
    const signIn = await beginSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI });
    const { status, body } = await completeSignIn(editor, await provider.deny(signIn.authorizeUrl));
    expect([status, body.error]).toEqual([
      400,
      'OAUTH_REFUSED: The sign-in at the vendor failed or was cancelled. Start the sign-in again.',
    ]);

    const own = await beginSignIn(editor, instance);
    await provider.allowRedirect(own.redirectUri);
    const page = await openPage(await provider.deny(own.authorizeUrl), { cookie: own.cookie });
    expect([page.status, page.title]).toEqual([400, 'Loopback oauth2-auth-code-pkce was not connected']);
  });

  it('requires code or error', async () => {
    const { state } = await beginSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI });
    const { status } = await editor.post('/api/connectors/connector-oauth-complete', { state });
    expect(status).toBe(400);
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });
});

describe('a repeated sign-in', () => {
  it('keeps the old credential working until its end', async () => {
    const { data } = (await completeSignIn(editor, await viaApp())).body;
    const back = await viaApp();
    expect(await validateCredential(editor, data)).toMatchObject({ status: 'valid' });
    expect(await getInstance(editor, instance)).toMatchObject({ credentialMetadataId: data.credentialMetadataId });
    const { body } = await completeSignIn(editor, back);
    expect(body.data.credentialMetadataId).not.toBe(data.credentialMetadataId);
    expect((await editor.post('/api/connectors/validate', data)).status).toBe(400);
  });

  it('keeps the old credential working if the vendor or the service rejects it', async () => {
    const { data } = (await completeSignIn(editor, await viaApp())).body;
    const wrong = { authenticationConfig: { clientId: 'x', clientSecret: 'y' } };
    expect((await startSignIn(editor, instance, { ...wrong, redirectUri: 'https://evil.test' })).status).toBe(400);
    expect((await startSignIn(editor, instance, { ...wrong, scopes: ['admin:write'] })).status).toBe(400);
    await completeSignIn(
      editor,
      changeUrl(await viaApp(), ({ searchParams }) => searchParams.set('code', 'wrong')),
    );
    expect(await validateCredential(editor, data)).toMatchObject({ status: 'valid' });
  });

  it('accepts a config at the start, which configures the connection first', async () => {
    const other = provider.credentials.client_secret_basic.authenticationConfig;
    const wrong = await aConnectionTo('oauth2-auth-code-pkce', {
      authenticationConfig: { clientId: 'x', clientSecret: 'y' },
    });
    const signIn = await beginSignIn(editor, wrong, { redirectUri: APP_REDIRECT_URI, authenticationConfig: other });
    expect(new URL(signIn.authorizeUrl).searchParams.get('client_id')).toBe(other.clientId);
    const { body } = await completeSignIn(editor, await approveSignIn(provider, signIn));
    expect(body.data.instance).toMatchObject({ credentialStatus: 'valid', authenticationConfig: { clientSecret: '' } });
  });
});

describe('other returned parameters', () => {
  it("define the source's address if the definition says so", async () => {
    const own = await aConnectionTo('realm');
    const back = await viaApp({}, own);
    back.searchParams.set('realm', 'oauth2-auth-code-pkce');
    const { body } = await completeSignIn(editor, back);
    expect(body.data.validation).toMatchObject({ status: 'valid' });
    expect(await validateCredential(editor, body.data)).toMatchObject({ status: 'valid' });
  });
});

describe('the start of a sign-in', () => {
  it('returns BAD_REQUEST with the field that yields no valid address', async () => {
    const { body: made } = await connect(editor, 'by-shop', { ...credential, ingestionConfig: { shop: 'evil.test/' } });
    const { status, body } = await startSignIn(editor, made.data);
    expect([status, body.error]).toEqual([400, 'BAD_REQUEST: shop: the value cannot be part of a host name.']);
    const sql = "select 1 from audit_entry where action = 'oauth_flow.started' and details->>'instanceId' = $1";
    expect(await queryAsOwner(service, sql, [made.data.id])).toEqual([]);
  });

  it('returns CONFLICT for a strategy without sign-in', async () => {
    const bearer = (await connect(editor, 'bearer', vendor.credentials.bearer)).body.data;
    expect((await startSignIn(editor, bearer)).status).toBe(409);
  });

  it('requires the permission', async () => {
    expect((await startSignIn(service.as('viewer'), instance)).status).toBe(403);
    expect((await startSignIn(service, instance)).status).toBe(401);
  });
});

async function aConnectionTo(key: string, { authenticationConfig } = credential as { authenticationConfig: object }) {
  const { body } = await connect(editor, key, { ...credential, authenticationConfig } as never);
  return body.data;
}
