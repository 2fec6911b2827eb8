import type { ConnectorDefinition, DefinitionFault, DefinitionPath, StrategyDefinition } from './definition.js';

type Setting = 'clientIdParam' | 'clientSecretParam' | 'codeParam';

/** Parameters whose names a definition cannot change. */
const FIXED_NAMES = [
  ...['state', 'redirect_uri', 'response_type', 'scope', 'error', 'error_description', 'iss', 'grant_type'],
  ...['refresh_token', 'code_challenge', 'code_challenge_method', 'code_verifier', 'audience'],
];

const PARAMETER_NAME = /^[A-Za-z0-9_.-]{1,100}$/;

export function checkSignInRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return connector.supportedAuthStrategies.flatMap((strategy, index) => {
    const { clientIdParam, clientSecretParam, codeParam } = strategy.oauth2Config ?? {};
    const names = Object.entries({ clientIdParam, clientSecretParam, codeParam }) as [Setting, string | undefined][];
    return names.flatMap(([setting, name], at) => {
      if (name === undefined) return [];
      const others = names.slice(at + 1).map(([, other]) => other);
      const fault = faultOf(strategy, setting, name, others);
      if (!fault) return [];
      const [rule, message] = fault;
      const faultAt = [...path, 'supportedAuthStrategies', index, 'oauth2Config', setting];
      return [{ path: faultAt, rule, message: `${strategy.key}: ${setting} ${message}` }];
    });
  });
}

function faultOf(
  strategy: StrategyDefinition,
  setting: Setting,
  name: string,
  others: readonly (string | undefined)[],
): readonly [rule: string, message: string] | undefined {
  const missing = missingSetting(strategy, setting);
  if (missing) return ['parameter-is-sent', `requires ${missing}`];
  if (!PARAMETER_NAME.test(name))
    return ['parameter-name-is-valid', 'must consist of 1 to 100 letters, digits and _ . -'];
  if ([...FIXED_NAMES, ...others].includes(name))
    return ['parameter-name-is-unique', `must not have the name of another parameter: ${name}`];
  return undefined;
}

/**
 * Requests contain the parameter of `setting` only if the strategy meets certain requirements. Returns the first
 * requirement that the strategy does not meet.
 */
function missingSetting({ type, oauth2Config }: StrategyDefinition, setting: Setting): string | undefined {
  const { tokenEndpointAuthMethod = 'client_secret_post' } = oauth2Config ?? {};
  if (!type.startsWith('oauth2_')) return 'a type that starts with oauth2_';
  if (setting === 'codeParam' && type !== 'oauth2_auth_code_pkce') return 'the type oauth2_auth_code_pkce';
  if (setting === 'clientSecretParam' && tokenEndpointAuthMethod !== 'client_secret_post')
    return 'tokenEndpointAuthMethod client_secret_post';
  return undefined;
}
