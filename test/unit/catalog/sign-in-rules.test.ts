import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { type BrokenDefinition, withStrategy } from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const BROKEN: BrokenDefinition[] = [
  ['parameter-is-sent', 'a name of the client id without OAuth', named('bearer', { clientIdParam: 'app' }), 'app'],
  [
    'parameter-is-sent',
    'a name of the secret with HTTP Basic',
    named('oauth2_auth_code_pkce', { clientSecretParam: 's', tokenEndpointAuthMethod: 'client_secret_basic' }),
    's tokenEndpointAuthMethod',
  ],
  [
    'parameter-is-sent',
    'a name of the code without a sign-in',
    named('oauth2_client_credentials', { codeParam: 'auth_code' }),
    'auth_code',
  ],
  [
    'parameter-name-is-unique',
    'the name of the state for the code',
    named('oauth2_auth_code_pkce', { codeParam: 'state' }),
    'state',
  ],
  [
    'parameter-name-is-unique',
    'one name for the client id and the secret',
    named('oauth2_client_credentials', { clientIdParam: 'app', clientSecretParam: 'app' }),
    'app clientSecretParam',
  ],
  ['parameter-name-is-valid', 'a name with a space', named('oauth2_refresh', { clientIdParam: 'app id' }), 'app id'],
];

const VALID: ValidDefinition[] = [
  [
    'other names of all parameters',
    named('oauth2_auth_code_pkce', { clientIdParam: 'app_id', clientSecretParam: 'secret', codeParam: 'auth_code' }),
  ],
  ['token requests in JSON', named('oauth2_client_credentials', { tokenRequestEncoding: 'json' })],
];

describeRules('a sign-in in a definition', ['sign-in-rules'], BROKEN, VALID);

function named(type: StrategyDefinition['type'], names: StrategyDefinition['oauth2Config']) {
  const urls = { authorizeUrl: 'https://acme.test/sign-in', tokenEndpoint: 'https://acme.test/token' };
  return withStrategy({ type, oauth2Config: { ...urls, ...names } });
}
