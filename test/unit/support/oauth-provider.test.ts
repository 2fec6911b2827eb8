import { createHash, createPrivateKey, randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { aHostileProvider } from '../../support/identity/hostile-provider.js';
import { nowSeconds } from '../../support/identity/jwks-server.js';
import { anOAuthProvider, CLIENT_AUTH_METHODS, type ClientAuthMethod } from '../../support/identity/oauth-provider.js';
import { withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { aFakeVendorServer } from '../../support/vendors/fake-vendor-server.js';

type Config = Readonly<Record<string, string>>;

const CALLBACK = 'https://client.test/callback';
const provider = await anOAuthProvider();
const vendor = await aFakeVendorServer({ provider });
const verifier = randomBytes(32).toString('base64url');

afterAll(() => Promise.all([provider.close(), vendor.close()]));

describe('the authorization server', () => {
  it.each(CLIENT_AUTH_METHODS)('authenticates a client with %s', async (method) => {
    const { status, body } = await redeem(method);
    expect([status, await meOf(body.access_token)]).toEqual([200, 200]);
    const texts = [body.access_token, body.refresh_token];
    expect(provider.tokenTexts()).toEqual(expect.arrayContaining(texts));
    expect(provider.exchanges.at(-1)).toEqual({
      grantType: 'authorization_code',
      clientId: provider.credentials[method].authenticationConfig.clientId,
    });
  });

  it.each(CLIENT_AUTH_METHODS.filter((one) => one !== 'none'))(
    'rejects a client with %s and a wrong secret',
    async (method) => {
      const { status, body } = await redeem(
        method,
        withWrongSecretValues(provider.credentials[method]).authenticationConfig,
      );
      expect([status, body.error]).toEqual([401, 'invalid_client']);
      expect(provider.exchanges.at(-1)).toMatchObject({ error: 'invalid_client' });
    },
  );

  it('redirects the browser with code, state and iss, or with an error', async () => {
    const url = authorizeUrl('client_secret_post');
    const given = Object.fromEntries((await provider.authorize(url)).searchParams);
    expect(given).toEqual({ code: expect.any(String), state: 'the-state', iss: provider.issuer });
    const denied = Object.fromEntries((await provider.deny(url)).searchParams);
    expect(denied).toMatchObject({ error: 'access_denied', state: 'the-state', iss: provider.issuer });
  });

  it('requires PKCE and a registered redirect URI', async () => {
    const plain = authorizeUrl('client_secret_post', { code_challenge: undefined, code_challenge_method: undefined });
    expect((await provider.authorize(plain)).searchParams.get('error')).toBe('invalid_request');
    const other = authorizeUrl('client_secret_post', { redirect_uri: 'https://other.test/callback' });
    await expect(provider.authorize(other)).rejects.toThrow('400');
    await provider.allowRedirect('https://other.test/callback');
    expect((await provider.authorize(other)).host).toBe('other.test');
  });

  it('accepts a refresh token once; its second use revokes the grant', async () => {
    const { body: first } = await redeem('client_secret_post');
    const { body: second } = await renew(first.refresh_token);
    expect(await meOf(second.access_token)).toBe(200);
    expect(await renew(first.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect([await meOf(second.access_token), (await renew(second.refresh_token)).status]).toEqual([401, 400]);
  });

  it('issues access tokens with a lifetime and can revoke them', async () => {
    provider.setAccessTokenSeconds(2);
    const { body: short } = await redeem('client_secret_post');
    provider.setAccessTokenSeconds(3_600);
    expect([short.expires_in, await meOf(short.access_token)]).toEqual([2, 200]);
    provider.expireAccessTokens();
    expect(await provider.find(short.access_token)).toBe('expired');
    const { body: renewed } = await renew(short.refresh_token);
    expect(await meOf(renewed.access_token)).toBe(200);
    provider.revokeGrants();
    expect([await meOf(renewed.access_token), (await renew(renewed.refresh_token)).status]).toEqual([401, 400]);
  });
});

it('a hostile authorization server relays to another server and stores codes and forms', async () => {
  const hostile = await aHostileProvider();
  const { clientId = '' } = provider.credentials.client_secret_post.authenticationConfig;
  hostile.relayTo({ authorizeUrl: `${provider.issuer}/auth`, parameters: { client_id: clientId } });
  const url = authorizeUrl('client_secret_post', { client_id: 'mine' }, hostile.issuer);
  const { searchParams } = await provider.authorize(url);
  expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['the-state', provider.issuer]);
  const code = searchParams.get('code') as string;
  await fetch(`${hostile.issuer}/token`, { method: 'POST', body: new URLSearchParams({ code }) });
  expect([hostile.codes, hostile.forms]).toEqual([[code], [{ code }]]);
  await hostile.close();
});

function authorizeUrl(method: ClientAuthMethod, other: object = {}, issuer = provider.issuer): URL {
  const { clientId } = provider.credentials[method].authenticationConfig;
  const parameters = {
    ...{ client_id: clientId, response_type: 'code', redirect_uri: CALLBACK, state: 'the-state' },
    ...{ scope: 'records:read profile:read', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...other,
  };
  const present = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URL(`${issuer}/auth?${new URLSearchParams(present as [string, string][])}`);
}

async function redeem(method: ClientAuthMethod, config: Config = provider.credentials[method].authenticationConfig) {
  const callback = await provider.authorize(authorizeUrl(method));
  const code = callback.searchParams.get('code') as string;
  return exchange(method, config, {
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: CALLBACK },
  });
}

function renew(token: string) {
  const { authenticationConfig } = provider.credentials.client_secret_post;
  return exchange('client_secret_post', authenticationConfig, { grant_type: 'refresh_token', refresh_token: token });
}

async function exchange(method: ClientAuthMethod, config: Config, form: Record<string, string>) {
  const { headers = {}, ...client } = await AUTHENTICATE[method](config);
  const body = new URLSearchParams({ ...form, ...(client as Record<string, string>) });
  const reply = await fetch(`${provider.issuer}/token`, { method: 'POST', headers, body });
  return { status: reply.status, body: await reply.json() };
}

const AUTHENTICATE: Record<
  ClientAuthMethod,
  (config: Config) => Promise<Record<string, unknown> & { headers?: HeadersInit }>
> = {
  client_secret_basic: async ({ clientId = '', clientSecret = '' }) => {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    return { headers: { authorization: `Basic ${btoa(pair)}` } };
  },
  client_secret_post: async ({ clientId, clientSecret }) => ({ client_id: clientId, client_secret: clientSecret }),
  client_secret_jwt: ({ clientId = '', clientSecret = '' }) =>
    assertion(clientId, { alg: 'HS256' }, Buffer.from(clientSecret)),
  private_key_jwt: ({ clientId = '', keyId, privateKey = '' }) =>
    assertion(clientId, { alg: 'RS256', kid: keyId }, createPrivateKey(privateKey)),
  none: async ({ clientId }) => ({ client_id: clientId }),
};

async function assertion(clientId: string, header: { alg: string; kid?: string }, key: Parameters<SignJWT['sign']>[0]) {
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: `${provider.issuer}/token`,
    jti: randomUUID(),
    exp: nowSeconds() + 60,
  };
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT(claims).setProtectedHeader(header).sign(key),
  };
}

async function meOf(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${vendor.origin}/oauth2-auth-code-pkce/me`, { headers })).status;
}
