import type { AddressingConfig } from './addressing-config.js';
import type { ConnectorDefinition, Fault, Path } from './definition.js';
import { connectorFields } from './definition-strategy-rules.js';
import { templateVariables } from './template-variables.js';

/** Every variable in a template is declared, every declared one is used, and one that the user supplies is asked for. */
export function addressRules(connector: ConnectorDefinition, path: Path): Fault[] {
  return [
    ...addressFaults(connector.addressingConfig, connectorFields(connector), [...path, 'addressingConfig']),
    ...connector.supportedAuthStrategies.flatMap((strategy, index) =>
      addressFaults(strategy.addressingConfig, connectorFields(connector, strategy), [
        ...path,
        'supportedAuthStrategies',
        index,
        'addressingConfig',
      ]),
    ),
  ];
}

function addressFaults(address: AddressingConfig | undefined, fields: ReadonlySet<string>, path: Path): Fault[] {
  if (!address) return [];
  const { scheme = '', host = '', basePath = '', variables = [] } = address;
  const used = new Set(templateVariables(scheme + host + basePath));
  const faults: Fault[] = [];
  for (const name of used) {
    if (variables.some((variable) => variable.name === name)) continue;
    faults.push({ path, rule: 'address-variable-declared', message: `{${name}} is not among the variables` });
  }
  variables.forEach(({ name, source, oauthResponsePath }, index) => {
    const at = [...path, 'variables', index, 'name'];
    if (!used.has(name))
      faults.push({ path: at, rule: 'address-variable-used', message: `no template uses {${name}}` });
    if (source === 'user_input' && !fields.has(name)) {
      faults.push({ path: at, rule: 'address-variable-asked-for', message: `no schema asks the user for ${name}` });
    }
    if (source === 'oauth_response' && !oauthResponsePath) {
      faults.push({
        path: at,
        rule: 'address-variable-path',
        message: `${name} comes from the token reply and names no oauthResponsePath`,
      });
    }
  });
  return faults;
}
