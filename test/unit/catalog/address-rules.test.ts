import type { VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { AddressingConfig } from '../../../src/catalog/model/addressing-config.js';
import {
  aConfigSchema,
  aStrategy,
  type BrokenDefinition,
  withConnector,
  withStrategy,
} from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const BROKEN: BrokenDefinition[] = [
  [
    'address-variable-declared',
    'an address with an undeclared variable',
    addressed({ host: '{site}.acme.test' }),
    'host: "{site}.acme.test"',
  ],
  [
    'address-variable-declared',
    'an address of a strategy with an undeclared variable',
    withStrategy({ addressingConfig: { host: 'acme.test', basePath: '/{org}' } }),
    'host: acme.test',
  ],
  [
    'address-variable-used',
    'a variable that the address does not use',
    addressed({ host: 'acme.test', variables: [{ name: 'site', source: 'constant' }] }),
    'site ',
  ],
  [
    'address-variable-in-config-schema',
    'a user_input variable without a config field',
    addressed({ host: '{site}.acme.test', variables: [{ name: 'site', source: 'user_input' }] }),
    'site ',
  ],
  [
    'address-variable-in-config-schema',
    'a user_input variable whose config field belongs to another strategy',
    withConnector({
      supportedAuthStrategies: [
        aStrategy({ key: 'other', configSchema: aConfigSchema({ token: { type: 'string', secret: true }, site: {} }) }),
        aStrategy({
          addressingConfig: { host: '{site}.acme.test', variables: [{ name: 'site', source: 'user_input' }] },
        }),
      ],
    }),
    'site ',
  ],
  [
    'address-variable-path',
    'an oauth_response variable without a path',
    addressed({ host: '{site}.acme.test', variables: [{ name: 'site', source: 'oauth_response' }] }),
    'site ',
  ],
];

const VALID: ValidDefinition[] = [
  [
    'an address with a field of the ingestion config of the strategy',
    withStrategy({
      ingestionConfigSchema: aConfigSchema({ site: { type: 'string' } }),
      addressingConfig: { host: '{site}.acme.test', variables: [{ name: 'site', source: 'user_input' }] },
    }),
  ],
  [
    'an address with a value of the token response',
    addressed({
      host: '{site}.acme.test',
      variables: [{ name: 'site', source: 'oauth_response', oauthResponsePath: 'instance' }],
    }),
  ],
];

describeRules('the address of a definition', ['address-rules'], BROKEN, VALID);

function addressed(addressingConfig: AddressingConfig): VendorDefinition {
  return withConnector({ addressingConfig });
}
