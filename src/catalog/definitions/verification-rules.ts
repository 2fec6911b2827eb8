import { compileJmesPath, JmesPathError } from '../../kernel/formats/jmespath.js';
import { templateVariables } from '../template-variables.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, StrategyDefinition } from './definition.js';

type Schema = Readonly<Record<string, unknown>> | null | undefined;
type Report = (at: DefinitionPath, rule: string, message: string) => void;

const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** What a test of a credential, and the exchange before it, is told by: expressions, templates and rules that can work. */
export function checkVerificationRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  const report: Report = (at, rule, message) => faults.push({ path: [...path, ...at], rule, message });
  for (const [at, expression] of expressionsOf(connector)) {
    const complaint = expressionErrorOf(expression);
    if (complaint) report(at, 'expression-compiles', `${at.at(-1)} is no JMESPath: ${complaint}`);
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

/** Why an expression does not compile; undefined if it does. */
export function expressionErrorOf(expression: string): string | undefined {
  try {
    compileJmesPath(expression);
    return undefined;
  } catch (error) {
    if (error instanceof JmesPathError) return error.message;
    throw error;
  }
}

/** What came back with a browser may name a tenant in a path, but not where the token goes: anybody can write an address. */
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
        `${name} is part of the host, and may not come from the callback`,
      );
  });
}

function checkVerificationCall({ key, verification }: StrategyDefinition, at: DefinitionPath, report: Report): void {
  const { method = 'GET', body, acceptedStatuses = [200], failures = [] } = verification ?? {};
  if (body && !METHODS_WITH_BODY.includes(method))
    report([...at, 'body'], 'body-can-be-sent', `${key}: ${method} has no body; say which method takes it`);
  failures.forEach(({ status, when }, index) => {
    if (when || (status && !acceptedStatuses.includes(status))) return;
    const what = status ? `every ${status}, which is accepted` : 'every reply';
    report([...at, 'failures', index], 'failure-is-told-apart', `${key}: without an expression the rule fits ${what}`);
  });
}

/** A variable of these addresses is a field that the user fills in; the test itself may also ask where the token leads. */
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
    report([...at, 'verification', 'url'], 'variable-is-a-field', `${key}: nothing supplies {${name}}`);
  }
  for (const setting of ['tokenEndpoint', 'authorizeUrl', 'audienceParam'] as const) {
    for (const name of templateVariables(oauth2Config?.[setting] ?? '')) {
      const field = fields.get(name);
      const settingAt = [...at, 'oauth2Config', setting];
      if (!field) report(settingAt, 'variable-is-a-field', `${key}: no schema has the field ${name}`);
      // Whoever may write anything here chooses who is given the client secret, or for whom an assertion is good.
      else if (!field.pattern && !field.enum)
        report(settingAt, 'address-field-is-bounded', `${key}: the field ${name} has neither a pattern nor an enum`);
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
