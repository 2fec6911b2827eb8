import { compileJmesPath, JmesPathError } from '../../kernel/formats/jmespath.js';
import { templateVariables } from '../template-variables.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, StrategyDefinition } from './definition.js';

type Schema = Readonly<Record<string, unknown>> | null | undefined;
type Report = (at: DefinitionPath, rule: string, message: string) => void;

const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH'];

export function checkVerificationRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  const report: Report = (at, rule, message) => faults.push({ path: [...path, ...at], rule, message });
  for (const [at, expression] of expressionsOf(connector)) {
    const error = expressionErrorOf(expression);
    if (error) report(at, 'expression-compiles', `${at.at(-1)} is not valid JMESPath: ${error}`);
  }
  checkHostVariables(connector.addressingConfig, [], report);
  connector.supportedAuthStrategies.forEach((strategy, index) => {
    const at = ['supportedAuthStrategies', index];
    checkHostVariables(strategy.addressingConfig, at, report);
    checkVerificationCall(strategy, [...at, 'verification'], report);
    checkTemplateVariables(connector, strategy, at, report);
  });
  return faults;
}

function expressionsOf({ addressingConfig, supportedAuthStrategies }: ConnectorDefinition): [DefinitionPath, string][] {
  const found: [DefinitionPath, string | null | undefined][] = [];
  const ofAddress = (address: typeof addressingConfig, at: DefinitionPath): void => {
    address?.variables?.forEach(({ oauthResponsePath }, index) => {
      found.push([[...at, 'addressingConfig', 'variables', index, 'oauthResponsePath'], oauthResponsePath]);
    });
  };
  ofAddress(addressingConfig, []);
  supportedAuthStrategies.forEach(({ addressingConfig: own, oauth2Config, verification }, index) => {
    const at = ['supportedAuthStrategies', index];
    ofAddress(own, at);
    found.push([[...at, 'oauth2Config', 'tokenResponsePath'], oauth2Config?.tokenResponsePath]);
    found.push([[...at, 'verification', 'identityPath'], verification?.identityPath]);
    found.push([[...at, 'verification', 'grantedScopesPath'], verification?.grantedScopesPath]);
    verification?.failures?.forEach(({ when }, rule) => {
      found.push([[...at, 'verification', 'failures', rule, 'when'], when]);
    });
  });
  return found.filter((one): one is [DefinitionPath, string] => typeof one[1] === 'string');
}

/** Returns undefined for a valid expression. */
export function expressionErrorOf(expression: string): string | undefined {
  try {
    compileJmesPath(expression);
    return undefined;
  } catch (error) {
    if (error instanceof JmesPathError) return error.message;
    throw error;
  }
}

/**
 * Rejects a host that comes from callback parameters. The service sends the token to the host, and a user can forge
 * these parameters.
 */
function checkHostVariables(
  address: ConnectorDefinition['addressingConfig'],
  at: DefinitionPath,
  report: Report,
): void {
  const ofHost = templateVariables(address?.host ?? '');
  address?.variables?.forEach(({ name, oauthResponsePath }, index) => {
    if (ofHost.includes(name) && /\bcallback\b/.test(oauthResponsePath ?? ''))
      report(
        [...at, 'addressingConfig', 'variables', index, 'oauthResponsePath'],
        'host-is-from-the-source',
        `${name} is part of the host and must not come from the parameters of the OAuth callback`,
      );
  });
}

function checkVerificationCall({ key, verification }: StrategyDefinition, at: DefinitionPath, report: Report): void {
  const { method = 'GET', body, acceptedStatuses = [200], failures = [] } = verification ?? {};
  if (body && !METHODS_WITH_BODY.includes(method))
    report([...at, 'body'], 'body-can-be-sent', `${key}: ${method} has no body. Set method to POST, PUT or PATCH`);
  failures.forEach(({ status, when }, index) => {
    if (when || (status && !acceptedStatuses.includes(status))) return;
    const matched = status ? `every response with the accepted status ${status}` : 'every response';
    report(
      [...at, 'failures', index],
      'failure-rule-is-specific',
      `${key}: without \`when\` the rule matches ${matched}`,
    );
  });
}

/** Each variable must be a config field. Only the URL of the credential test may also contain address variables. */
function checkTemplateVariables(
  connector: ConnectorDefinition,
  strategy: StrategyDefinition,
  at: DefinitionPath,
  report: Report,
): void {
  const { key, oauth2Config, verification } = strategy;
  const fields = fieldsOf(connector, strategy);
  const address = strategy.addressingConfig ?? connector.addressingConfig;
  const ofAddress = new Set(address?.variables?.map(({ name }) => name));
  for (const name of templateVariables(verification?.url ?? '')) {
    if (fields.has(name) || ofAddress.has(name)) continue;
    report(
      [...at, 'verification', 'url'],
      'variable-is-a-field',
      `${key}: nothing supplies a value for the variable {${name}}`,
    );
  }
  for (const [header, value] of Object.entries(strategy.extraHeaders ?? {})) {
    for (const name of templateVariables(String(value)).filter((one) => !fields.has(one)))
      report([...at, 'extraHeaders', header], 'variable-is-a-field', `${key}: no config schema has the field ${name}`);
  }
  for (const setting of ['tokenEndpoint', 'authorizeUrl', 'audienceParam'] as const) {
    for (const name of templateVariables(oauth2Config?.[setting] ?? '')) {
      const field = fields.get(name);
      const settingAt = [...at, 'oauth2Config', setting];
      if (!field) report(settingAt, 'variable-is-a-field', `${key}: no config schema has the field ${name}`);
      // Without a constraint on the field, a user could send the client secret or an assertion to any server.
      else if (!field.pattern && !field.enum)
        report(settingAt, 'address-field-is-bounded', `${key}: the field ${name} requires a pattern or an enum`);
    }
  }
}

function fieldsOf(
  connector: ConnectorDefinition,
  strategy: StrategyDefinition,
): ReadonlyMap<string, { pattern?: string; enum?: unknown[] }> {
  const ingestion: Schema = strategy.ingestionConfigSchema ?? connector.ingestionConfigSchema;
  return new Map([ingestion, strategy.configSchema].flatMap((schema) => Object.entries(schema?.properties ?? {})));
}
