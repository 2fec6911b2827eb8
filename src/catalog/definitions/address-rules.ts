import type { AddressingConfig } from '../model/addressing-config.js';
import { templateVariables } from '../template-variables.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath } from './definition.js';
import { connectorFieldNames } from './strategy-rules.js';

/**
 * A `user_input` variable requires a field with the same name in a config schema. A variable with the source
 * `oauth_response` requires `oauthResponsePath`.
 */
export function checkAddressRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return [
    ...addressFaults(connector.addressingConfig, connectorFieldNames(connector), [...path, 'addressingConfig']),
    ...connector.supportedAuthStrategies.flatMap((strategy, index) =>
      addressFaults(strategy.addressingConfig, connectorFieldNames(connector, strategy), [
        ...path,
        'supportedAuthStrategies',
        index,
        'addressingConfig',
      ]),
    ),
  ];
}

function addressFaults(
  address: AddressingConfig | undefined,
  fields: ReadonlySet<string>,
  path: DefinitionPath,
): DefinitionFault[] {
  if (!address) return [];
  const { scheme = '', host = '', basePath = '', variables = [] } = address;
  const used = new Set(templateVariables(scheme + host + basePath));
  const faults: DefinitionFault[] = [];
  for (const name of used) {
    if (variables.some((variable) => variable.name === name)) continue;
    faults.push({ path, rule: 'address-variable-declared', message: `{${name}} is not declared in variables` });
  }
  variables.forEach(({ name, source, oauthResponsePath }, index) => {
    const at = [...path, 'variables', index, 'name'];
    if (!used.has(name))
      faults.push({
        path: at,
        rule: 'address-variable-used',
        message: `scheme, host and basePath do not contain the variable {${name}}`,
      });
    if (source === 'user_input' && !fields.has(name)) {
      faults.push({
        path: at,
        rule: 'address-variable-in-config-schema',
        message: `no config schema has the field ${name}`,
      });
    }
    if (source === 'oauth_response' && !oauthResponsePath) {
      faults.push({
        path: at,
        rule: 'address-variable-path',
        message: `${name} has source oauth_response and requires oauthResponsePath`,
      });
    }
  });
  return faults;
}
