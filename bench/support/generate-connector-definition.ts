import type {
  ConnectorDefinition,
  StrategyDefinition,
  TapDefinition,
} from '../../src/catalog/definitions/definition.js';

/** The connector is about as large as the connectors of the included definitions. */
export function generateConnectorDefinition(vendor: string, name: string, key: string): ConnectorDefinition {
  const host = `${vendor}.example.com`;
  return {
    key,
    name: `${name} ${key}`,
    description: `Reads accounts, records and the comments on them from ${name}.`,
    apiVersion: '2026-01-01',
    integrationClass: 'api',
    protocolType: 'rest',
    releaseStatus: 'published',
    defaultBaseUrl: `https://${host}`,
    addressingConfig: {
      scheme: 'https',
      host: `{site}.${host}`,
      basePath: '/v2',
      variables: [{ name: 'site', source: 'user_input', required: true }],
    },
    ingestionConfigSchema: schemaOf({
      site: { type: 'string', title: 'Site', description: `The part of your address before .${host}.` },
      includeArchived: { type: 'boolean', title: 'Archived records', default: false },
      since: { type: 'string', format: 'date', title: 'Start', description: 'Older records are omitted.' },
    }),
    rateLimits: {
      maxConcurrent: 10,
      requestsPerSecond: 5,
      resetHeader: 'X-RateLimit-Reset',
      retry: { maxRetries: 5, backoffMultiplier: 2, respectRetryAfter: true },
    },
    supportedAuthStrategies: [token(name), oauth(name, host)],
    taps: [tap('accounts', true), tap('records', false), tap('comments', false)],
    traversal: {
      rootTaps: ['accounts'],
      edges: [
        { from: 'accounts', to: 'records', parentKeyField: 'id', templateVariable: 'account', fanOutLimit: 500 },
        { from: 'records', to: 'comments', parentKeyField: 'id', templateVariable: 'record', fanOutLimit: 500 },
      ],
    },
    setupDocumentation: `1. Sign in to ${name} with a user who can read every account.\n2. Create a token or register an app.\n3. Enter the values here and test the connection.`,
  };
}

function schemaOf(properties: Record<string, object>): Record<string, unknown> {
  return { type: 'object', additionalProperties: false, properties, required: [Object.keys(properties)[0]] };
}

function token(name: string): StrategyDefinition {
  return {
    key: 'token',
    type: 'bearer',
    label: 'Access token',
    docs: `Create the token in ${name} under **Settings > Developer > Tokens** with the scopes \`read:accounts\` and \`read:records\`. It expires if it is not used for 90 days.`,
    configSchema: schemaOf({
      token: {
        type: 'string',
        title: 'Token',
        description: 'A token with the scopes `read:accounts` and `read:records`; it begins with `tk_`.',
        secret: true,
      },
    }),
    extraHeaders: { Accept: 'application/json', 'X-Api-Version': '2026-01-01' },
    bearerConfig: { tokenField: 'token' },
    verification: { url: '/me', identityPath: 'login', failures: [{ status: 401, errorCode: 'auth_failed' }] },
  };
}

function oauth(name: string, host: string): StrategyDefinition {
  return {
    key: 'oauth-app',
    type: 'oauth2_auth_code_pkce',
    label: 'OAuth app',
    docs: `Register the app in ${name} under **Settings > Developer > Apps** with the callback address of this service. An administrator of the site may have to approve it before anything can be read.`,
    configSchema: schemaOf({
      clientId: { type: 'string', title: 'Client ID', description: 'Shown on the page of the app.' },
      clientSecret: {
        type: 'string',
        title: 'Client secret',
        description: 'Shown once, when it is created.',
        secret: true,
      },
    }),
    defaultScopes: ['read:accounts', 'read:records', 'offline_access'],
    extraHeaders: { Accept: 'application/json', 'X-Api-Version': '2026-01-01' },
    oauth2Config: {
      authorizeUrl: `https://${host}/oauth/authorize`,
      tokenEndpoint: `https://${host}/oauth/token`,
      tokenEndpointAuthMethod: 'client_secret_post',
      tokenRefreshCodes: [401],
    },
    verification: { url: '/me', identityPath: 'login', failures: [{ status: 401, errorCode: 'auth_failed' }] },
  };
}

function tap(name: string, identityDirectory: boolean): TapDefinition {
  return {
    name,
    description: `One of the ${name} that the user may see.`,
    enabledByDefault: true,
    identityDirectory,
    dataKind: 'snapshot',
    deletionSemantics: 'none',
    responseExtraction: { primaryKey: 'id', responsePath: 'data' },
    schema: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        title: { type: 'string' },
        state: { type: 'string', enum: ['open', 'closed'] },
        created_at: { type: 'string', format: 'date-time' },
        updated_at: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'updated_at'],
    },
    sync: {
      mode: 'incremental',
      cursorField: 'updated_at',
      cursorValueFormat: 'iso8601',
      incrementalParams: { sinceParam: 'since', sinceFormat: 'iso8601' },
    },
    transportOptions: [
      {
        apiType: 'rest',
        priority: 1,
        pagination: { type: 'cursor', cursor: { cursorParam: 'cursor', nextCursorPath: 'meta.next' } },
        restConfig: { endpoint: `/${name}`, method: 'GET', queryParams: { limit: 100 } },
      },
    ],
  };
}
