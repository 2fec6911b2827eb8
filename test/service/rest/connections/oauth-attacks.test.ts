import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoEmail } from '../../../../src/tenancy/workspaces/seed-demo.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { aHostileConnection, aHostileProvider, relayToHonest } from '../../../support/identity/hostile-provider.js';
import {
  APP_REDIRECT_URI,
  allowRedirectUris,
  aPendingConnection,
  approveSignIn,
  beginSignIn,
  CONNECTED_PAGE,
  changeUrl,
  completeSignIn,
  countCodeExchanges,
  ENDED_PAGE,
  openPage,
  signInByApp,
  signInByPage,
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
import { statusAndErrorCode } from '../../../support/service/replies.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { aConnectedWorkspace, getInstance } from '../../../support/sources/connected-workspace.js';

const hostile = await aHostileProvider();
const { service, provider } = await aConnectedWorkspace({}, { hostileIssuer: hostile.issuer });
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
});
beforeEach(async () => {
  instance = await aPendingConnection(editor, provider, 'client_secret_post');
  exchangesBefore = countCodeExchanges(provider);
  hostile.redirectBackWith({ code: 'code-of-the-hostile', iss: hostile.issuer });
});

const viaApp = (client = editor) => signInByApp(client, provider, instance);
const viaPage = (client = editor) => signInByPage(client, provider, instance);
const INVALID = [400, 'OAUTH_STATE_INVALID'];
const REFUSED = [400, 'OAUTH_REFUSED'];

describe('the state of a sign-in', () => {
  it('is rejected when used twice', async () => {
    const back = await viaApp();
    expect((await completeSignIn(editor, back)).status).toBe(200);
    expect(statusAndErrorCode(await completeSignIn(editor, back))).toEqual(INVALID);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore + 1);
  });

  it('is rejected after a rejected code', async () => {
    const back = await viaApp();
    const wrong = changeUrl(back, ({ searchParams }) => searchParams.set('code', 'wrong'));
    expect(statusAndErrorCode(await completeSignIn(editor, wrong))).toEqual(REFUSED);
    expect(statusAndErrorCode(await completeSignIn(editor, back))).toEqual(INVALID);
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });

  it('is rejected from another user', async () => {
    const back = await viaApp();
    expect(statusAndErrorCode(await completeSignIn(admin, back))).toEqual([403, 'FORBIDDEN']);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect((await completeSignIn(editor, back)).status).toBe(200);
  });

  it('is rejected from another workspace', async () => {
    const back = await viaApp();
    expect(statusAndErrorCode(await completeSignIn(service.as('editor', { slug: 'other' }), back))).toEqual(INVALID);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect((await completeSignIn(editor, back)).status).toBe(200);
  });

  it('is rejected from the creator of the API key that started the sign-in, and from the API key if its creator started it', async () => {
    const program = await anApiKeyClient(service, ['connectors:read', 'connectors:write']);
    const [ofProgram, ofOwner] = [await viaApp(program), await viaApp(owner)];
    expect(statusAndErrorCode(await completeSignIn(owner, ofProgram))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndErrorCode(await completeSignIn(program, ofOwner))).toEqual([403, 'FORBIDDEN']);
    expect((await completeSignIn(program, ofProgram)).status).toBe(200);
  });

  it('is rejected after its expiry', async () => {
    const [late, inTime] = [await viaApp(), await viaApp()];
    await expire(late);
    expect(statusAndErrorCode(await completeSignIn(editor, late))).toEqual(INVALID);
    expect((await completeSignIn(editor, inTime)).status).toBe(200);

    const [page, other] = [await viaPage(), await viaPage()];
    await expire(page.back);
    expect(await statusAndTitle(page.back, page)).toEqual(ENDED_PAGE);
    expect(await statusAndTitle(other.back, other)).toEqual(CONNECTED_PAGE);
  });

  it('is rejected if unknown', async () => {
    const back = await viaApp();
    for (const state of ['x', back.searchParams.get('state')?.toUpperCase(), `${back.searchParams.get('state')} `])
      expect(statusAndErrorCode(await completeSignIn(editor, back, { state }))).toEqual(INVALID);
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

describe('authorization codes', () => {
  it('code injection: rejects a code of another sign-in', async () => {
    const [victim, attacker] = [await viaApp(), await viaApp(admin)];
    const code = attacker.searchParams.get('code');
    expect(statusAndErrorCode(await completeSignIn(editor, victim, { code }))).toEqual(REFUSED);
    expect(provider.exchanges.at(-1)).toMatchObject({ error: 'invalid_grant' });
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });

  it('PKCE downgrade: the provider rejects another method or a missing challenge', async () => {
    const { authorizeUrl, ...signIn } = await beginSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI });
    const { code_challenge_method, code_challenge } = Object.fromEntries(new URL(authorizeUrl).searchParams);
    expect([code_challenge_method, code_challenge?.length]).toEqual(['S256', 43]);
    const dropped = changeUrl(authorizeUrl, (url) => {
      url.searchParams.delete('code_challenge');
      url.searchParams.delete('code_challenge_method');
    });
    const back = await approveSignIn(provider, { ...signIn, authorizeUrl: dropped.href });
    expect(back.searchParams.get('error')).toBe('invalid_request');
    expect(statusAndErrorCode(await completeSignIn(editor, back))).toEqual(REFUSED);
  });

  it('PKCE: a code without the verifier, which the service sends, is worthless', async () => {
    const back = await viaApp();
    const { clientId: client_id = '', clientSecret: client_secret = '' } = credential.authenticationConfig;
    const code = back.searchParams.get('code') as string;
    const grant = { grant_type: 'authorization_code', code, redirect_uri: APP_REDIRECT_URI };
    const body = new URLSearchParams({ ...grant, client_id, client_secret });
    expect((await fetch(`${provider.issuer}/token`, { method: 'POST', body })).status).toBe(400);
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });

  it("PKCE substitution: rejects a code for an attacker's challenge", async () => {
    const { authorizeUrl, ...signIn } = await beginSignIn(editor, instance, { redirectUri: APP_REDIRECT_URI });
    const challenge = 'x'.repeat(43);
    const substituted = changeUrl(authorizeUrl, (url) => url.searchParams.set('code_challenge', challenge));
    const back = await approveSignIn(provider, { ...signIn, authorizeUrl: substituted.href });
    expect(statusAndErrorCode(await completeSignIn(editor, back))).toEqual(REFUSED);
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
    expect(statusAndErrorCode(await completeSignIn(editor, back, { params: { iss: iss() } }))).toEqual(REFUSED);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });

  it('rejects the response of an honest server forwarded by a hostile server, for an address that both share', async () => {
    relayToHonest(hostile, provider);
    const signIn = await beginSignIn(editor, await aHostileConnection(editor), { redirectUri: APP_REDIRECT_URI });
    const back = await approveSignIn(provider, signIn);
    expect(back.searchParams.get('iss')).toBe(provider.issuer);
    expect(statusAndErrorCode(await completeSignIn(editor, back))).toEqual(REFUSED);
    expect(hostile.codes).toEqual([]);
  });

  it('CORF: rejects the redirect of a hostile connector to the page of an honest connector', async () => {
    const [honest, other] = [await viaPage(admin), await beginSignIn(editor, await aHostileConnection(editor))];
    const forged = changeUrl(honest.back, ({ searchParams }) => searchParams.set('state', other.state));
    expect(await statusAndTitle(forged, other)).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    expect(await statusAndTitle(honest.back, honest)).toEqual(CONNECTED_PAGE);
  });

  it('COAT: an honest server rejects the page of a hostile connector', async () => {
    relayToHonest(hostile, provider);
    const { authorizeUrl } = await beginSignIn(editor, await aHostileConnection(editor));
    await expect(provider.authorize(authorizeUrl)).rejects.toThrow('400');
    expect(hostile.codes).toEqual([]);
  });

  it.each([
    ['in the same workspace', () => editor],
    ['in a hostile workspace', () => service.as('editor', { slug: 'other' })],
  ])('COAT: the page of an honest connector rejects the state of a hostile connector %s', async (_, client) => {
    const honest = await beginSignIn(editor, instance);
    relayToHonest(hostile, provider, { redirect_uri: honest.redirectUri });
    const signIn = await beginSignIn(client(), await aHostileConnection(client()));
    await provider.allowRedirect(honest.redirectUri);
    // Opens the URL like a browser. The relay has changed the redirect URI in the URL.
    const relayed = (await fetch(signIn.authorizeUrl, { redirect: 'manual' })).headers.get('location') as string;
    const back = await provider.authorize(relayed);
    expect([back.href.startsWith(honest.redirectUri), back.searchParams.get('state')]).toEqual([true, signIn.state]);
    expect(await statusAndTitle(back, signIn)).toEqual(ENDED_PAGE);
    expect([hostile.codes, countCodeExchanges(provider)]).toEqual([[], exchangesBefore]);
  });

  it('control: the hostile server receives its own code', async () => {
    const signIn = await beginSignIn(editor, await aHostileConnection(editor));
    const back = (await fetch(signIn.authorizeUrl, { redirect: 'manual' })).headers.get('location') as string;
    expect((await openPage(back, signIn)).title).toContain('hostile is connected');
    expect(hostile.codes).toEqual(['code-of-the-hostile']);
  });
});

describe('changes between start and completion', () => {
  it('configure: the code is not used, and the new credentials stay', async () => {
    const back = await viaApp();
    const { authenticationConfig } = credential;
    const { body } = await editor.post('/api/connectors/configure', { instanceId: instance.id, authenticationConfig });
    expect(statusAndErrorCode(await completeSignIn(editor, back))).toEqual([409, 'CONFLICT']);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    const { credentialMetadataId } = body.data;
    expect(await getInstance(editor, instance)).toMatchObject({ credentialMetadataId });
    expect((await completeSignIn(editor, await viaApp())).status).toBe(200);
  });

  it('rejects the sign-in after another sign-in was completed', async () => {
    const [late, soon] = [await viaApp(), await viaApp()];
    expect((await completeSignIn(editor, soon)).status).toBe(200);
    expect(statusAndErrorCode(await completeSignIn(editor, late))).toEqual([409, 'CONFLICT']);
  });

  it('rejects the sign-in after the connection was deleted', async () => {
    const [app, page] = [await viaApp(), await viaPage()];
    await editor.delete(`/api/vendors/tenant-connector-instances/${instance.id}`);
    expect(statusAndErrorCode(await completeSignIn(editor, app))).toEqual([404, 'NOT_FOUND']);
    expect(await statusAndTitle(page.back, page)).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
  });

  const setAdminStatus = async (status: string) =>
    queryField(owner, UPDATE_USER, { id: await userIdOf(owner, demoEmail('admin')), input: { status } });
  const setAdminRole = async (name: string) =>
    setUserRoles(owner, await userIdOf(owner, demoEmail('admin')), [await roleIdOf(owner, name)]);

  it.each([
    ['was suspended', 'WORKSPACE_FORBIDDEN', () => setAdminStatus('SUSPENDED'), () => setAdminStatus('ACTIVE')],
    ['lost the permission', 'FORBIDDEN', () => setAdminRole('viewer'), () => setAdminRole('admin')],
  ])('rejects the sign-in after its user %s', async (_, code, exclude, restore) => {
    const [app, page] = [await viaApp(admin), await viaPage(admin)];
    await exclude();
    expect(statusAndErrorCode(await completeSignIn(admin, app))).toEqual([403, code]);
    expect(await statusAndTitle(page.back, page)).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchangesBefore);
    await restore();
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

async function expire({ searchParams }: URL): Promise<void> {
  const hash = "encode(sha256(convert_to($1, 'UTF8')), 'hex')";
  const statement = `update oauth_flow set expires_at = now() - interval '1 second' where state_hash = ${hash} returning id`;
  const rows = await queryAsOwner(service, statement, [searchParams.get('state')]);
  if (rows.length !== 1) throw new Error('The sign-in does not exist.');
}
