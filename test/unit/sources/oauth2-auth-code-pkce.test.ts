import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { ConnectionConfigError } from '../../../src/sources/connection-config-error.js';
import {
  buildAuthorizeUrl,
  exchangeCode,
  generatePkce,
  issuerMatches,
} from '../../../src/sources/methods/oauth2-auth-code-pkce.js';
import { TokenExchangeError } from '../../../src/sources/responses/token-exchange-error.js';
import { SourceServer } from '../../support/servers/source-server.js';
import { aConnection } from '../../support/sources/source-connection.js';

let source: SourceServer;
let challenge: string;

beforeAll(async () => {
  source = await new SourceServer(({ form }) => {
    const hash = createHash('sha256').update(`${form.code_verifier}`).digest('base64url');
    const known = form.code === 'code-1' && hash === challenge && form.redirect_uri === REDIRECT;
    return known ? { access_token: 'a', refresh_token: 'r' } : { status: 400, body: { error: 'invalid_grant' } };
  }).open();
});
afterAll(() => source.close());

const REDIRECT = 'https://taproot.test/callback?of=1';
const REQUEST = { state: 'state-1', redirectUri: REDIRECT, codeChallenge: 'challenge-1' };

interface Parts {
  oauth2Config?: StrategyDefinition['oauth2Config'];
  strategy?: Partial<StrategyDefinition>;
  config?: Record<string, unknown>;
}

function connectionOf({ oauth2Config, strategy, config }: Parts = {}) {
  return aConnection({
    strategy: {
      type: 'oauth2_auth_code_pkce',
      defaultScopes: ['a', 'b'],
      ...strategy,
      oauth2Config: {
        authorizeUrl: 'https://login.acme.test/authorize?prompt=consent',
        tokenEndpoint: `${source.url}/token`,
        ...oauth2Config,
      },
    },
    config: { clientId: 'c', clientSecret: 's', ...config },
  });
}

describe('the authorization URL', () => {
  const query = (fields?: Parts) => Object.fromEntries(buildAuthorizeUrl(connectionOf(fields), REQUEST).searchParams);

  it('keeps the query of the definition, and always uses S256', () => {
    const url = buildAuthorizeUrl(connectionOf(), REQUEST);
    expect(url.origin + url.pathname).toBe('https://login.acme.test/authorize');
    expect(query()).toEqual({
      prompt: 'consent',
      response_type: 'code',
      client_id: 'c',
      redirect_uri: REDIRECT,
      state: 'state-1',
      scope: 'a b',
      code_challenge: 'challenge-1',
      code_challenge_method: 'S256',
    });
  });

  it('has no challenge if the definition disables PKCE', () => {
    const parameters = query({ oauth2Config: { pkce: false } });
    expect(Object.keys(parameters).filter((name) => name.startsWith('code_challenge'))).toEqual([]);
    expect(parameters).toMatchObject({ state: 'state-1', client_id: 'c' });
    expect(query({ oauth2Config: { pkce: true } })).toMatchObject({ code_challenge_method: 'S256' });
  });

  it("has the client id under the vendor's name", () => {
    const parameters = query({ oauth2Config: { clientIdParam: 'app_id', codeParam: 'auth_code' } });
    expect(parameters).toMatchObject({ app_id: 'c', state: 'state-1', response_type: 'code' });
    expect(parameters).not.toHaveProperty('client_id');
  });

  it('overrides query parameters of the definition with its own', () => {
    const authorizeUrl = 'https://a.test/?state=x&redirect_uri=y&code_challenge_method=plain&state=z';
    const url = buildAuthorizeUrl(connectionOf({ oauth2Config: { authorizeUrl } }), REQUEST);
    expect(url.searchParams.getAll('state')).toEqual(['state-1']);
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.get('redirect_uri')).toBe(REDIRECT);
  });

  it("uses the vendor's scope separator, and scopes of the request instead of the strategy's", () => {
    expect(query({ strategy: { verification: { scopeSeparator: ', ' } } }).scope).toBe('a,b');
    expect(query({ strategy: { verification: { scopeSeparator: ' ' } } }).scope).toBe('a b');
    expect(query({ strategy: { defaultScopes: undefined } })).not.toHaveProperty('scope');
    const url = buildAuthorizeUrl(connectionOf(), { ...REQUEST, scopes: ['x', 'y'] });
    expect(url.searchParams.get('scope')).toBe('x y');
  });

  it('contains the audience', () => {
    expect(query({ oauth2Config: { audienceParam: 'api.acme.test' } }).audience).toBe('api.acme.test');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://a.test', '/authorize', '', undefined])(
    'is never %j',
    (authorizeUrl) => expect(() => query({ oauth2Config: { authorizeUrl } })).toThrow(ConnectionConfigError),
  );

  it('rejects hosts that the template does not allow', () => {
    const oauth2Config = { authorizeUrl: 'https://{shop}.acme.test/authorize' };
    expect(buildAuthorizeUrl(connectionOf({ oauth2Config, config: { shop: 'a' } }), REQUEST).host).toBe('a.acme.test');
    expect(() => query({ oauth2Config, config: { shop: 'evil.test/' } })).toThrow(ConnectionConfigError);
  });
});

describe('a code', () => {
  const grant = (overrides: object = {}) => {
    const { codeVerifier, codeChallenge } = generatePkce();
    challenge = codeChallenge;
    return { code: 'code-1', codeVerifier, redirectUri: REDIRECT, ...overrides };
  };

  it('is exchanged with the verifier of its challenge', async () => {
    const session = await exchangeCode(connectionOf(), source.send, grant());
    expect(session).toMatchObject({ token: 'a', refreshToken: 'r' });
    expect(source.last.form).toMatchObject({ grant_type: 'authorization_code', client_id: 'c', client_secret: 's' });
  });

  it('is exchanged with only the client secret if the definition disables PKCE', async () => {
    const connection = connectionOf({ oauth2Config: { pkce: false } });
    await expect(exchangeCode(connection, source.send, grant())).rejects.toThrow(TokenExchangeError);
    expect(source.last.form).toMatchObject({ code: 'code-1', client_secret: 's', redirect_uri: REDIRECT });
    expect(source.last.form).not.toHaveProperty('code_verifier');
  });

  it("is sent with the client as JSON, under the vendor's names", async () => {
    const names = { clientIdParam: 'app_id', clientSecretParam: 'secret', codeParam: 'auth_code' };
    const oauth2Config = { ...names, pkce: false, tokenRequestEncoding: 'json' } as const;
    await exchangeCode(connectionOf({ oauth2Config }), source.send, grant()).catch(() => undefined);
    const { headers, body } = source.last;
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toEqual({
      ...{ app_id: 'c', secret: 's', auth_code: 'code-1' },
      ...{ grant_type: 'authorization_code', redirect_uri: REDIRECT },
    });
  });

  it.each([{ code: 'code-2' }, { codeVerifier: generatePkce().codeVerifier }, { redirectUri: 'https://evil.test' }])(
    'is rejected with %j',
    async (wrong) => {
      await expect(exchangeCode(connectionOf(), source.send, grant(wrong))).rejects.toThrow(TokenExchangeError);
    },
  );

  it('comes with callback parameters that may be address variables', async () => {
    const variables = [{ name: 'realm', source: 'oauth_response' as const, oauthResponsePath: 'callback.realmId' }];
    const connection = connectionOf({
      strategy: { addressingConfig: { host: 'a.test', basePath: '/{realm}', variables } },
    });
    const session = await exchangeCode(connection, source.send, grant({ params: { realmId: '42' } }));
    expect(session.addressValues).toEqual({ realm: '42' });
  });

  it('has a new 256-bit verifier each time', () => {
    const verifiers = Array.from({ length: 50 }, () => generatePkce().codeVerifier);
    expect(new Set(verifiers).size).toBe(50);
    for (const verifier of verifiers) expect(Buffer.from(verifier, 'base64url')).toHaveLength(32);
  });
});

describe('the issuer of a callback', () => {
  it.each([
    ['https://login.acme.test', true],
    ['https://login.acme.test/tenant/1', true],
    ['https://LOGIN.acme.test:443/', true],
    ['http://login.acme.test', false],
    ['https://evil.test', false],
    ['https://login.acme.test.evil.test', false],
    ['https://login.acme.test@evil.test', false],
    ['https://login.acme.test:8443', false],
    ['javascript:alert(1)', false],
    ['login.acme.test', false],
    ['null', false],
    ['', false],
  ])('may be %j: %j', (iss, expected) => expect(issuerMatches(connectionOf(), iss)).toBe(expected));
});
