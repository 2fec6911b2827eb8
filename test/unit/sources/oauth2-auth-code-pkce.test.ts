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
/** What the source was shown when the code was asked for. */
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

describe('the address that the browser is sent to', () => {
  const query = (parts?: Parts) => Object.fromEntries(buildAuthorizeUrl(connectionOf(parts), REQUEST).searchParams);

  it('is the one of the catalog with its own query, and S256 always', () => {
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

  it('has no challenge where the definition turns PKCE off', () => {
    const parameters = query({ oauth2Config: { pkce: false } });
    expect(Object.keys(parameters).filter((name) => name.startsWith('code_challenge'))).toEqual([]);
    expect(parameters).toMatchObject({ state: 'state-1', client_id: 'c' });
    expect(query({ oauth2Config: { pkce: true } })).toMatchObject({ code_challenge_method: 'S256' });
  });

  it('lets no query of the catalog stand in for its own parameters', () => {
    const authorizeUrl = 'https://a.test/?state=x&redirect_uri=y&code_challenge_method=plain&state=z';
    const url = buildAuthorizeUrl(connectionOf({ oauth2Config: { authorizeUrl } }), REQUEST);
    expect(url.searchParams.getAll('state')).toEqual(['state-1']);
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.get('redirect_uri')).toBe(REDIRECT);
  });

  it('asks for scopes as the vendor separates them, and for those of the request in place of its own', () => {
    expect(query({ strategy: { verification: { scopeSeparator: ', ' } } }).scope).toBe('a,b');
    expect(query({ strategy: { verification: { scopeSeparator: ' ' } } }).scope).toBe('a b');
    expect(query({ strategy: { defaultScopes: undefined } })).not.toHaveProperty('scope');
    const url = buildAuthorizeUrl(connectionOf(), { ...REQUEST, scopes: ['x', 'y'] });
    expect(url.searchParams.get('scope')).toBe('x y');
  });

  it('names the audience', () => {
    expect(query({ oauth2Config: { audienceParam: 'api.acme.test' } }).audience).toBe('api.acme.test');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://a.test', '/authorize', '', undefined])(
    'is never %j',
    (authorizeUrl) => expect(() => query({ oauth2Config: { authorizeUrl } })).toThrow(ConnectionConfigError),
  );

  it('has no host but what its template provides for', () => {
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

  it('is exchanged by the secret of the client alone where the definition turns PKCE off', async () => {
    const connection = connectionOf({ oauth2Config: { pkce: false } });
    await expect(exchangeCode(connection, source.send, grant())).rejects.toThrow(TokenExchangeError);
    expect(source.last.form).toMatchObject({ code: 'code-1', client_secret: 's', redirect_uri: REDIRECT });
    expect(source.last.form).not.toHaveProperty('code_verifier');
  });

  it.each([{ code: 'code-2' }, { codeVerifier: generatePkce().codeVerifier }, { redirectUri: 'https://evil.test' }])(
    'is refused with %j',
    async (wrong) => {
      await expect(exchangeCode(connectionOf(), source.send, grant(wrong))).rejects.toThrow(TokenExchangeError);
    },
  );

  it('comes with parameters that may say where the source lives', async () => {
    const variables = [{ name: 'realm', source: 'oauth_response' as const, oauthResponsePath: 'callback.realmId' }];
    const connection = connectionOf({
      strategy: { addressingConfig: { host: 'a.test', basePath: '/{realm}', variables } },
    });
    const session = await exchangeCode(connection, source.send, grant({ params: { realmId: '42' } }));
    expect(session.addressValues).toEqual({ realm: '42' });
  });

  it('has a verifier of 256 bits that is new each time', () => {
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
