import type { StrategyDefinition } from '../../src/catalog/definitions/definition.js';

/** The import adds the key, the sources and the credential test. */
export type StrategyDraft = Omit<StrategyDefinition, 'key'>;

interface Field {
  readonly title: string;
  readonly secret?: true;
}

const OAUTH_FIELDS = {
  clientId: { title: 'Client ID' },
  clientSecret: { title: 'Client secret', secret: true },
} as const;

export const bearerDraft = (): StrategyDraft => ({
  type: 'bearer',
  label: 'API token',
  configSchema: schemaOf({ token: { title: 'API token', secret: true } }),
  bearerConfig: { tokenField: 'token' },
});

export const basicDraft = (): StrategyDraft => ({
  type: 'basic',
  label: 'User name and password',
  configSchema: schemaOf({ username: { title: 'User name' }, password: { title: 'Password', secret: true } }),
  basicConfig: { usernameField: 'username', passwordField: 'password' },
});

export const apiKeyDraft = (place: 'header' | 'query', name: string): StrategyDraft => ({
  type: place === 'header' ? 'api_key_header' : 'api_key_query',
  label: 'API key',
  configSchema: schemaOf({ apiKey: { title: 'API key', secret: true } }),
  apiKeyConfig: place === 'header' ? { headerName: name } : { queryParam: name },
});

export const authorizationCodeDraft = (authorizeUrl: string, tokenEndpoint: string): StrategyDraft => ({
  type: 'oauth2_auth_code_pkce',
  label: 'Sign in',
  configSchema: schemaOf(OAUTH_FIELDS),
  oauth2Config: { authorizeUrl, tokenEndpoint },
});

export const clientCredentialsDraft = (tokenEndpoint: string): StrategyDraft => ({
  type: 'oauth2_client_credentials',
  label: 'OAuth client',
  configSchema: schemaOf(OAUTH_FIELDS),
  oauth2Config: { tokenEndpoint },
});

export const refreshTokenDraft = (tokenEndpoint: string): StrategyDraft => ({
  type: 'oauth2_refresh',
  label: 'Refresh token',
  configSchema: schemaOf({ ...OAUTH_FIELDS, refreshToken: { title: 'Refresh token', secret: true } }),
  oauth2Config: { tokenEndpoint },
});

function schemaOf(fields: Readonly<Record<string, Field>>): Record<string, unknown> {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { type: 'string', ...field }])),
    required: Object.keys(fields),
  };
}
