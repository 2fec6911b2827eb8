import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { aConfigSchema } from '../catalog/definition-builders.js';
import { CLIENT_AUTH_METHODS, type ClientAuthMethod, PROVIDER_SCOPES } from '../identity/oauth-provider.js';
import { FIXED_PASSWORD } from './credential-checks.js';
import { VENDOR_SCOPES } from './fake-vendor-server.js';
import { SESSION_AUDIENCE } from './session-endpoints.js';

type OwnPart = Pick<StrategyDefinition, 'key' | 'type' | 'configSchema'> & Partial<StrategyDefinition>;
type Failures = NonNullable<NonNullable<StrategyDefinition['verification']>['failures']>;

const open = { type: 'string' };
const secret = { type: 'string', secret: true };
const clientFields = { clientId: open, clientSecret: secret };

function fields(properties: object): Record<string, unknown> {
  return { ...aConfigSchema(properties), required: Object.keys(properties) };
}

const FAILURES: Failures = [
  { status: 200, when: 'ok == `false`', errorCode: 'auth_failed' },
  { status: 401, when: "error == 'expired'", errorCode: 'expired' },
  { status: 401, errorCode: 'auth_failed' },
  { status: 403, errorCode: 'insufficient_permissions' },
  { status: 404, errorCode: 'config_invalid' },
  { status: 409, errorCode: 'internal_error' },
];

/**
 * For methods with a refresh token, `invalid_grant` means that the grant has ended. For other methods, it means that
 * the credential is wrong.
 */
const GRANT_ENDED: Failures = [{ when: "error == 'invalid_grant'", errorCode: 'expired' }, ...FAILURES];
const GRANT_REFUSED: Failures = [{ when: "error == 'invalid_grant'", errorCode: 'auth_failed' }, ...FAILURES];

function strategy(own: OwnPart, failures = FAILURES): StrategyDefinition {
  return {
    label: own.key,
    verification: { url: '/me', identityPath: 'email', grantedScopesPath: 'scopes', failures },
    ...own,
  };
}

/** Maps each connector key to the strategies of one method. The first strategy has the key of the connector. */
export function vendorStrategies(origin: string, issuer: string): Record<string, StrategyDefinition[]> {
  const tokens = { tokenEndpoint: `${origin}/oauth/token`, tokenRefreshCodes: [401] };
  const sessionHeader = { bearerConfig: { headerName: 'X-Session', tokenPrefix: '' } };
  const session = { tokenResponsePath: 'session.token', tokenPrefix: '', tokenRefreshCodes: [401] };
  const strategies = [
    strategy({
      ...{ key: 'api-key-header', type: 'api_key_header', configSchema: fields({ apiKey: secret }) },
      apiKeyConfig: { headerName: 'X-Api-Key' },
    }),
    strategy({
      ...{ key: 'api-key-query', type: 'api_key_query', configSchema: fields({ apiKey: secret }) },
      apiKeyConfig: { queryParam: 'api_key' },
    }),
    aBearerStrategy(),
    strategy(
      {
        ...{ key: 'oauth2-refresh', type: 'oauth2_refresh', defaultScopes: VENDOR_SCOPES },
        configSchema: fields({ ...clientFields, refreshToken: secret }),
        oauth2Config: { ...tokens, grantType: 'refresh_token', tokenEndpointAuthMethod: 'client_secret_post' },
      },
      GRANT_ENDED,
    ),
    strategy(
      {
        ...{ key: 'oauth2-jwt-bearer', type: 'oauth2_jwt_bearer', defaultScopes: VENDOR_SCOPES },
        configSchema: fields({ clientId: open, subject: open, privateKey: secret }),
        oauth2Config: { ...tokens, grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer' },
      },
      GRANT_REFUSED,
    ),
    strategy(
      {
        ...{
          key: 'google-domain-wide-delegation',
          type: 'google_domain_wide_delegation',
          defaultScopes: VENDOR_SCOPES,
        },
        configSchema: fields({ clientEmail: open, privateKey: secret }),
        ingestionConfigSchema: fields({ delegatedUser: { type: 'string', format: 'email' } }),
        delegatedUserField: 'delegatedUser',
        oauth2Config: { ...tokens, grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer' },
      },
      [
        {
          when: "error == 'invalid_grant' && contains(error_description, 'Invalid email')",
          errorCode: 'config_invalid',
        },
        ...GRANT_REFUSED,
      ],
    ),
    strategy({
      ...{ key: 'session-exchange', type: 'session_exchange', ...sessionHeader },
      configSchema: fields({ tokenName: open, tokenSecret: secret }),
      oauth2Config: {
        ...{ ...session, tokenEndpoint: `${origin}/sessions` },
        tokenEndpointExtraParams: { credentials: { name: '{tokenName}', secret: '{tokenSecret}' } },
      },
    }),
    strategy({
      ...{ key: 'session-exchange-jwt', type: 'session_exchange_jwt', ...sessionHeader },
      configSchema: fields({ ...clientFields, keyId: open, subject: open }),
      oauth2Config: {
        ...{ ...session, tokenEndpoint: `${origin}/sessions/jwt`, tokenEndpointAuthMethod: 'client_secret_jwt' },
        ...{ audienceParam: SESSION_AUDIENCE, tokenEndpointExtraParams: { jwt: '{jwt}' } },
      },
    }),
    strategy({
      ...{ key: 'session-exchange-password', type: 'session_exchange_password', ...sessionHeader },
      configSchema: fields({ username: open, password: secret }),
      oauth2Config: {
        ...{ ...session, tokenEndpoint: `${origin}/sessions/password`, tokenResponsePath: 'id' },
        ...{ usernameField: 'login', passwordField: 'passphrase' },
      },
    }),
    strategy({
      ...{ key: 'custom', type: 'custom', hook: 'datadog_two_keys', apiKeyConfig: { headerName: 'DD-API-KEY' } },
      configSchema: fields({ apiKey: secret, applicationKey: secret }),
    }),
  ];
  return {
    ...Object.fromEntries(strategies.map((one) => [one.key, [one]])),
    basic: basicStrategies(),
    'oauth2-client-credentials': clientCredentialsStrategies(origin),
    'oauth2-auth-code-pkce': CLIENT_AUTH_METHODS.map((method) => aCodeStrategy(issuer, method)),
  };
}

export function aBearerStrategy(own: Partial<OwnPart> = {}): StrategyDefinition {
  const configSchema = fields({ token: secret });
  return strategy({ key: 'bearer', type: 'bearer', configSchema, bearerConfig: { tokenField: 'token' }, ...own });
}

function basicStrategies(): StrategyDefinition[] {
  return [
    strategy({
      ...{ key: 'basic', type: 'basic', configSchema: fields({ username: open, password: secret }) },
      basicConfig: { usernameField: 'username', passwordField: 'password' },
    }),
    strategy({
      ...{ key: 'basic-fixed-password', type: 'basic', configSchema: fields({ apiKey: secret }) },
      basicConfig: { usernameField: 'apiKey', passwordValue: FIXED_PASSWORD },
    }),
    strategy({
      ...{ key: 'basic-encoded', type: 'basic', configSchema: fields({ encodedToken: secret }) },
      preEncodedBasicConfig: { tokenField: 'encodedToken' },
    }),
  ];
}

export function clientCredentialsStrategies(origin: string): StrategyDefinition[] {
  const byMethod = {
    'oauth2-client-credentials': 'client_secret_post',
    'oauth2-client-credentials-basic': 'client_secret_basic',
  } as const;
  return Object.entries(byMethod).map(([key, tokenEndpointAuthMethod]) =>
    strategy(
      {
        ...{ key, type: 'oauth2_client_credentials', configSchema: fields(clientFields), defaultScopes: VENDOR_SCOPES },
        oauth2Config: {
          ...{ tokenEndpoint: `${origin}/oauth/token`, grantType: 'client_credentials', tokenRefreshCodes: [401] },
          tokenEndpointAuthMethod,
        },
      },
      GRANT_REFUSED,
    ),
  );
}

/** The config of a public client may contain a secret, but the service must not send this secret. */
const CODE_FIELDS: Record<ClientAuthMethod, Record<string, unknown>> = {
  client_secret_basic: fields(clientFields),
  client_secret_post: fields(clientFields),
  client_secret_jwt: fields(clientFields),
  private_key_jwt: fields({ clientId: open, keyId: open, privateKey: secret }),
  none: { ...aConfigSchema(clientFields), required: ['clientId'] },
};

export function aCodeStrategy(issuer: string, method: ClientAuthMethod): StrategyDefinition {
  return strategy(
    {
      ...{ key: codeStrategyKey(method), type: 'oauth2_auth_code_pkce', configSchema: CODE_FIELDS[method] },
      oauth2Config: {
        ...{ authorizeUrl: `${issuer}/auth`, tokenEndpoint: `${issuer}/token`, tokenEndpointAuthMethod: method },
        tokenRefreshCodes: [401],
      },
      defaultScopes: PROVIDER_SCOPES,
    },
    GRANT_ENDED,
  );
}

/** The first strategy has the key of the connector. */
export function codeStrategyKey(method: ClientAuthMethod): string {
  const isFirst = method === CLIENT_AUTH_METHODS[0];
  return isFirst ? 'oauth2-auth-code-pkce' : `oauth2-auth-code-pkce-${method.replaceAll('_', '-')}`;
}
