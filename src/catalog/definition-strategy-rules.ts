import type { ConnectorDefinition, Fault, StrategyDefinition } from './definition.js';
import { secretFieldsOf } from './secret-fields.js';

type Path = readonly (string | number)[];

/** What each method needs said about it: paths into the strategy, any one of each list. */
const NEEDS: Record<StrategyDefinition['type'], readonly (readonly string[])[]> = {
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

/** Settings that name a field of the config schema. */
const FIELD_NAMES = [
  'bearerConfig.tokenField',
  'basicConfig.usernameField',
  'basicConfig.passwordField',
  'preEncodedBasicConfig.tokenField',
];

export function strategyRules(connector: ConnectorDefinition, path: Path): Fault[] {
  return connector.supportedAuthStrategies.flatMap((strategy, index) => {
    const at = [...path, 'supportedAuthStrategies', index];
    const own = fieldsOf(strategy.configSchema);
    const faults: Fault[] = [];
    const fault = (field: string, rule: string, message: string) =>
      faults.push({ path: [...at, ...field.split('.')], rule, message: `${strategy.key}: ${message}` });

    if (!strategy.verification)
      fault('verification', 'strategy-is-verifiable', 'no verification block says how a credential is tested');
    if (strategy.verification && !strategy.verification.tokenExchangeOnly && !strategy.verification.url) {
      fault('verification', 'strategy-is-verifiable', 'verification names neither a url nor tokenExchangeOnly');
    }
    for (const choices of NEEDS[strategy.type]) {
      if (choices.some((choice) => valueAt(strategy, choice) !== undefined)) continue;
      fault('type', 'method-is-configured', `${strategy.type} needs ${choices.join(' or ')}`);
    }
    for (const setting of FIELD_NAMES) {
      const name = valueAt(strategy, setting);
      if (typeof name === 'string' && !own.has(name))
        fault(setting, 'config-field-exists', `configSchema has no field ${name}`);
    }
    if (secretFieldsOf(strategy.configSchema).length === 0)
      fault('configSchema', 'secrets-are-marked', 'configSchema marks no field `secret: true`');
    if (strategy.configSchema?.additionalProperties !== false) {
      fault(
        'configSchema',
        'config-is-closed',
        'configSchema must say `additionalProperties: false`, else a mistyped secret is stored in the clear',
      );
    }
    if (strategy.delegatedUserField && !connectorFields(connector, strategy).has(strategy.delegatedUserField)) {
      fault(
        'delegatedUserField',
        'delegated-user-field-exists',
        `no schema has the field ${strategy.delegatedUserField}`,
      );
    }
    return faults;
  });
}

/** Fields that the user fills in: with a strategy, those it asks for; without, those that any strategy asks for. */
export function connectorFields(
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

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
}
