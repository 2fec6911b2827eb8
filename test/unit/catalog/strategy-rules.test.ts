import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  ConnectorDefinition,
  StrategyDefinition,
  VendorDefinition,
} from '../../../src/catalog/definitions/definition.js';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';
import {
  aConfigSchema,
  aStrategy,
  type BrokenDefinition,
  withConnector,
  withStrategy,
} from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const ENDPOINT = 'https://acme.test/token';

const BROKEN: BrokenDefinition[] = [
  ['strategy-is-verifiable', 'a strategy without a test', withStrategy({ verification: undefined }), 'key: token '],
  ['strategy-is-verifiable', 'a test without a URL', withStrategy({ verification: { method: 'GET' } }), 'method: GET '],
  [
    'strategy-is-verifiable',
    'a test without a token exchange or URL',
    withStrategy({ verification: { tokenExchangeOnly: false } }),
    'tokenExchangeOnly: false ',
  ],
  [
    'pkce-protects-codes',
    'a public client without PKCE',
    withStrategy({
      ...{ type: 'oauth2_auth_code_pkce', bearerConfig: undefined },
      oauth2Config: {
        ...{ tokenEndpoint: ENDPOINT, authorizeUrl: 'https://acme.test/authorize' },
        ...{ pkce: false, tokenEndpointAuthMethod: 'none' },
      },
    }),
    'false tokenEndpointAuthMethod',
  ],
  [
    'pkce-protects-codes',
    'PKCE without a browser sign-in',
    withStrategy({ oauth2Config: { tokenEndpoint: ENDPOINT, pkce: false } }),
    'false ',
  ],
  ['method-is-configured', 'a method without its settings', withStrategy({ type: 'api_key_query' }), 'api_key_query '],
  [
    'config-field-exists',
    'a token field that the schema lacks',
    withStrategy({ bearerConfig: { tokenField: 'none' } }),
    'none ',
  ],
  [
    'config-field-exists',
    'a user name field that the schema lacks',
    withStrategy({ basicConfig: { usernameField: 'none' } }),
    'none ',
  ],
  [
    'config-field-exists',
    'a password field that the schema lacks',
    withStrategy({ basicConfig: { passwordField: 'none' } }),
    'none ',
  ],
  [
    'config-field-exists',
    'a pre-encoded pair that the schema lacks',
    withStrategy({ preEncodedBasicConfig: { tokenField: 'none' } }),
    'none ',
  ],
  ['api-key-is-named', 'two secrets and no key field', keyed(undefined, []), 'headerName: X-Key '],
  ['config-field-exists', 'a key field that the schema lacks', keyed('none', []), 'none '],
  [
    'additional-key-is-secret',
    'a further key that is not a secret',
    keyed('key', [{ field: 'site', headerName: 'A' }]),
    'site ',
  ],
  [
    'additional-key-has-one-place',
    'a further key in two places',
    keyed('key', [{ field: 'app', headerName: 'A', queryParam: 'a' }]),
    'field: app ',
  ],
  [
    'secrets-are-marked',
    'a config schema without a secret',
    withStrategy({ configSchema: aConfigSchema({ token: { type: 'string' } }) }),
    'type: object additionalProperties',
  ],
  [
    'secrets-are-marked',
    'a token marked secret: false',
    withStrategy({ configSchema: aConfigSchema({ token: { type: 'string', secret: false } }) }),
    'type: object additionalProperties',
  ],
  [
    'config-is-closed',
    'a config schema that allows additional properties',
    withStrategy({ configSchema: { type: 'object', properties: { token: { type: 'string', secret: true } } } }),
    'type: object properties',
  ],
  [
    'delegated-user-field-exists',
    'a delegated user that the schemas lack',
    withStrategy({ delegatedUserField: 'none' }),
    'none ',
  ],

  ['expression-compiles', 'a path to the name', verified({ identityPath: 'user.' }), 'user. '],
  ['expression-compiles', 'a path to the scopes', verified({ grantedScopesPath: 'scopes[' }), 'scopes[ '],
  ['expression-compiles', 'a condition', failing({ status: 401, when: "error == 'x" }), "error == 'x errorCode"],
  ['expression-compiles', 'an unknown function', failing({ when: 'is_bad(error)' }), 'is_bad(error) errorCode'],
  [
    'expression-compiles',
    'a path to the token',
    withStrategy({ oauth2Config: { tokenEndpoint: ENDPOINT, tokenResponsePath: 'a b' } }),
    'a b ',
  ],
  ['expression-compiles', 'a path to the address', withConnector(namedBySource('a b')), 'a b '],
  ['expression-compiles', 'a path to the address of a strategy', withStrategy(namedBySource('a b')), 'a b '],

  [
    'host-is-from-the-source',
    'a host from the OAuth callback',
    withConnector(namedBySource('callback.host')),
    'callback.host ',
  ],

  ['body-can-be-sent', 'a body without a method', verified({ body: { query: 'q' } }), 'query: q'],
  ['body-can-be-sent', 'a body with GET', verified({ method: 'GET', body: { query: 'q' } }), 'query: q'],

  ['failure-rule-is-specific', 'a rule that matches every response', failing({}), 'errorCode: auth_failed'],
  [
    'failure-rule-is-specific',
    'a rule that matches every successful response',
    failing({ status: 200 }),
    'status: 200',
  ],

  ['variable-is-a-field', 'a test URL with an undeclared variable', verified({ url: '/{org}/me' }), '/{org}/me'],
  [
    'variable-is-a-field',
    'an extra header with an undeclared variable',
    withStrategy({ extraHeaders: { 'X-Account': 'id={account}' } }),
    'id={account}',
  ],
  ...(['tokenEndpoint', 'authorizeUrl', 'audienceParam'] as const).flatMap((setting) => [
    broken('variable-is-a-field', setting, {}),
    broken('variable-is-a-field', setting, namedBySource('site')),
    broken('address-field-is-bounded', setting, { ingestionConfigSchema: aConfigSchema({ site: { type: 'string' } }) }),
  ]),
];

const VALID: ValidDefinition[] = [
  ['a test by token exchange', withStrategy({ verification: { tokenExchangeOnly: true } })],
  [
    'extra headers with config fields, also secret fields',
    withStrategy({ extraHeaders: { 'X-Token': 'v1 {token}', 'X-Text': '{{token}}', 'X-Version': 2 } }),
  ],
  ['a body with POST', verified({ method: 'POST', body: { query: 'q' } })],
  ['a rule for every status with an expression', failing({ when: 'error' })],
  ['a rule for an accepted status with an expression', failing({ status: 200, when: 'error' })],
  [
    'a rule for a status 200 that is not accepted',
    verified({ acceptedStatuses: [204], failures: [{ status: 200, errorCode: 'auth_failed' }] }),
  ],
  [
    'a test URL with a variable of the token response',
    withStrategy({ ...namedBySource('site'), verification: { url: '/{site}/me' } }),
  ],
  [
    'a test URL with a config field',
    withConnector({ ingestionConfigSchema: aConfigSchema({ site: { type: 'string' } }), ...tested('/{site}/me') }),
  ],
  ...([{ pattern: '^a$' }, { enum: ['a'] }] as const).map((bound): [string, VendorDefinition] => [
    `an endpoint at a field with ${Object.keys(bound)}`,
    withConnector({
      ingestionConfigSchema: aConfigSchema({ site: { type: 'string', ...bound } }),
      supportedAuthStrategies: [aStrategy({ oauth2Config: { tokenEndpoint: 'https://{site}.acme.test/token' } })],
    }),
  ]),
  [
    'a delegated user in the ingestion config',
    withConnector({
      ingestionConfigSchema: aConfigSchema({ admin: { type: 'string' } }),
      supportedAuthStrategies: [aStrategy({ delegatedUserField: 'admin' })],
    }),
  ],
];

function keyed(
  keyField: string | undefined,
  additionalKeys: NonNullable<NonNullable<StrategyDefinition['apiKeyConfig']>['additionalKeys']>,
): VendorDefinition {
  const secret = { type: 'string', secret: true };
  return withStrategy({
    ...{ type: 'api_key_header', bearerConfig: undefined },
    configSchema: aConfigSchema({ key: secret, app: secret, site: { type: 'string' } }),
    apiKeyConfig: {
      headerName: 'X-Key',
      ...(keyField && { keyField }),
      ...(additionalKeys.length > 0 && { additionalKeys }),
    },
  });
}

const COVERED = ['strategy-rules', 'verification-rules'];

describeRules('a strategy in a definition', COVERED, BROKEN, VALID);

describe('strategy rules', () => {
  it('are tested here, except rules that have their own test file', () => {
    const files = readdirSync(join(PROJECT_ROOT, 'src', 'catalog', 'definitions')).map((name) =>
      name.replace('.ts', ''),
    );
    const others = files.filter((name) => /-rules$/.test(name) && !COVERED.includes(name));
    expect(others).toEqual([
      'address-rules',
      'batch-rules',
      'cursor-rules',
      'definition-rules',
      'field-discovery-rules',
      'inbound-rules',
      'parent-filter-rules',
      'record-rules',
      'schema-rules',
      'secret-rules',
      'sign-in-rules',
      'source-rules',
      'sync-rules',
      'tap-rules',
      'tap-setting-rules',
      'traversal-rules',
    ]);
  });
});

type Verification = NonNullable<StrategyDefinition['verification']>;
type Failure = NonNullable<Verification['failures']>[number];

function tested(url: string): Partial<ConnectorDefinition> {
  return { supportedAuthStrategies: [aStrategy({ verification: { url } })] };
}

function verified(verification: Verification): VendorDefinition {
  return withStrategy({ verification: { url: '/me', ...verification } });
}

function failing(rule: Partial<Failure>): VendorDefinition {
  return verified({ failures: [{ ...rule, errorCode: 'auth_failed' }] });
}

function namedBySource(oauthResponsePath: string): Pick<StrategyDefinition, 'addressingConfig'> {
  const variables = [{ name: 'site', source: 'oauth_response' as const, oauthResponsePath }];
  return { addressingConfig: { scheme: 'https', host: '{site}.acme.test', variables } };
}

function broken(
  rule: string,
  setting: 'tokenEndpoint' | 'authorizeUrl' | 'audienceParam',
  connector: Partial<ConnectorDefinition>,
): BrokenDefinition {
  const address = 'https://{site}.acme.test/';
  const strategy = aStrategy({ oauth2Config: { [setting]: address } });
  return [rule, setting, withConnector({ ...connector, supportedAuthStrategies: [strategy] }), `${address} `];
}
