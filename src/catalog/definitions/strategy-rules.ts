import { secretFieldsOf } from '../secret-fields.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, StrategyDefinition } from './definition.js';

/** Each inner list contains alternatives, of which the strategy needs at least one. */
const REQUIRED_SETTINGS: Record<StrategyDefinition['type'], readonly (readonly string[])[]> = {
  api_key_header: [['apiKeyConfig.headerName']],
  api_key_query: [['apiKeyConfig.queryParam']],
  bearer: [['bearerConfig.tokenField']],
  basic: [['basicConfig.usernameField', 'preEncodedBasicConfig.tokenField']],
  oauth2_refresh: [['oauth2Config.tokenEndpoint']],
  oauth2_auth_code_pkce: [['oauth2Config.tokenEndpoint'], ['oauth2Config.authorizeUrl']],
  oauth2_client_credentials: [['oauth2Config.tokenEndpoint']],
  oauth2_jwt_bearer: [['oauth2Config.tokenEndpoint']],
  google_domain_wide_delegation: [['oauth2Config.tokenEndpoint'], ['delegatedUserField']],
  session_exchange: [['oauth2Config.tokenEndpoint']],
  session_exchange_jwt: [['oauth2Config.tokenEndpoint']],
  session_exchange_password: [
    ['oauth2Config.tokenEndpoint'],
    ['oauth2Config.usernameField'],
    ['oauth2Config.passwordField'],
  ],
  custom: [['hook']],
};

/** The value of each setting is the name of a field in the strategy's config schema. */
const FIELD_NAME_SETTINGS = [
  'apiKeyConfig.keyField',
  'bearerConfig.tokenField',
  'basicConfig.usernameField',
  'basicConfig.passwordField',
  'preEncodedBasicConfig.tokenField',
];

interface StrategyFault {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

type StrategyRule = (strategy: StrategyDefinition, connector: ConnectorDefinition) => StrategyFault[];

const STRATEGY_RULES: readonly StrategyRule[] = [
  isVerifiable,
  isConfigured,
  namesOwnFields,
  marksSecrets,
  namesKeys,
  isClosed,
  namesDelegatedUser,
  usesPkce,
];

export function checkStrategyRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return connector.supportedAuthStrategies.flatMap((strategy, index) =>
    STRATEGY_RULES.flatMap((check) => check(strategy, connector)).map(({ field, rule, message }) => ({
      path: [...path, 'supportedAuthStrategies', index, ...field.split('.').map(stepOf)],
      rule,
      message: `${strategy.key}: ${message}`,
    })),
  );
}

function isVerifiable({ verification }: StrategyDefinition): StrategyFault[] {
  if (verification?.tokenExchangeOnly || verification?.url) return [];
  const message = verification
    ? 'verification requires url or tokenExchangeOnly'
    : 'verification is missing. It defines how the service tests a credential';
  return [{ field: 'verification', rule: 'strategy-is-verifiable', message }];
}

function isConfigured(strategy: StrategyDefinition): StrategyFault[] {
  return REQUIRED_SETTINGS[strategy.type]
    .filter((choices) => choices.every((choice) => valueAt(strategy, choice) === undefined))
    .map((choices) => ({
      field: 'type',
      rule: 'method-is-configured',
      message: `${strategy.type} requires ${choices.join(' or ')}`,
    }));
}

function namesOwnFields(strategy: StrategyDefinition): StrategyFault[] {
  const own = fieldsOf(strategy.configSchema);
  return FIELD_NAME_SETTINGS.flatMap((field) => {
    const name = valueAt(strategy, field);
    if (typeof name !== 'string' || own.has(name)) return [];
    return [{ field, rule: 'config-field-exists', message: `configSchema has no field ${name}` }];
  });
}

function marksSecrets({ configSchema }: StrategyDefinition): StrategyFault[] {
  if (secretFieldsOf(configSchema).length > 0) return [];
  const message = 'configSchema must have a field with `secret: true`';
  return [{ field: 'configSchema', rule: 'secrets-are-marked', message }];
}

function namesKeys({ type, configSchema, apiKeyConfig }: StrategyDefinition): StrategyFault[] {
  const isApiKey = type === 'api_key_header' || type === 'api_key_query';
  const secrets = secretFieldsOf(configSchema);
  const faults: StrategyFault[] = [];
  if (isApiKey && secrets.length > 1 && !apiKeyConfig?.keyField) {
    const message = `keyField must name one of ${secrets.join(', ')}`;
    faults.push({ field: 'apiKeyConfig', rule: 'api-key-is-named', message });
  }
  for (const [index, { field, headerName, queryParam }] of (apiKeyConfig?.additionalKeys ?? []).entries()) {
    const at = `apiKeyConfig.additionalKeys.${index}`;
    if (!isApiKey || !secrets.includes(field))
      faults.push({
        field: `${at}.field`,
        rule: 'additional-key-is-secret',
        message: isApiKey
          ? `${field} is not a secret field`
          : 'additionalKeys requires the type api_key_header or api_key_query',
      });
    if (Boolean(headerName) === Boolean(queryParam))
      faults.push({ field: at, rule: 'additional-key-has-one-place', message: 'set either headerName or queryParam' });
  }
  return faults;
}

function isClosed({ configSchema }: StrategyDefinition): StrategyFault[] {
  if (configSchema?.additionalProperties === false) return [];
  const message =
    'configSchema must set `additionalProperties: false`. Otherwise, if the name of a secret field is misspelled, the service would store the secret unencrypted';
  return [{ field: 'configSchema', rule: 'config-is-closed', message }];
}

function namesDelegatedUser(strategy: StrategyDefinition, connector: ConnectorDefinition): StrategyFault[] {
  const field = strategy.delegatedUserField;
  if (!field || connectorFieldNames(connector, strategy).has(field)) return [];
  const message = `no config schema has the field ${field}`;
  return [{ field: 'delegatedUserField', rule: 'delegated-user-field-exists', message }];
}

/**
 * Public clients require PKCE, because only PKCE or client authentication prevents the exchange of a stolen code (RFC
 * 9700, section 2.1.1).
 */
function usesPkce({ type, oauth2Config }: StrategyDefinition): StrategyFault[] {
  if (oauth2Config?.pkce === undefined) return [];
  const fault = (message: string) => [{ field: 'oauth2Config.pkce', rule: 'pkce-protects-codes', message }];
  if (type !== 'oauth2_auth_code_pkce') return fault(`${type} has no browser sign-in. Remove pkce`);
  if (oauth2Config.pkce || oauth2Config.tokenEndpointAuthMethod !== 'none') return [];
  return fault('a public client (tokenEndpointAuthMethod none) requires PKCE');
}

/** Returns the config fields of the connector and of `strategy`, or of all strategies if `strategy` is undefined. */
export function connectorFieldNames(
  connector: Omit<ConnectorDefinition, 'traversal'>,
  strategy?: StrategyDefinition,
): ReadonlySet<string> {
  const strategies = strategy ? [strategy] : connector.supportedAuthStrategies;
  const schemas = [
    connector.ingestionConfigSchema,
    ...strategies.flatMap((one) => [one.configSchema, one.ingestionConfigSchema]),
  ];
  return new Set(schemas.flatMap((schema) => [...fieldsOf(schema)]));
}

function fieldsOf(schema: Record<string, unknown> | undefined): ReadonlySet<string> {
  return new Set(Object.keys((schema?.properties as object | undefined) ?? {}));
}

function stepOf(name: string): string | number {
  return /^\d+$/.test(name) ? Number(name) : name;
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
}
