import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const AddressingVariableSource = wireEnum(
  'AddressingVariableSource',
  'Origin of the value of an address variable.',
  {
    user_input: 'A field of the authentication or ingestion config, filled in by the customer.',
    oauth_response: 'The response of the token endpoint, at `oauthResponsePath`.',
    constant: 'A fixed value in the definition of the connector.',
  },
);
export type AddressingVariableSource = keyof typeof AddressingVariableSource;

@PlainObjectType('A variable in the scheme, host or base path of an address template.')
export class AddressingVariable {
  @RequiredField('Name, without the braces of the template.')
  name: string;

  @RequiredField('Origin of the value.', () => AddressingVariableSource)
  source: AddressingVariableSource;

  @OptionalField('JMESPath to the value in the response of the token endpoint. Required for source `oauth_response`.')
  oauthResponsePath?: string;

  @OptionalField('Whether a connection requires a value. Defaults to `true`.')
  required?: boolean;
}

@PlainObjectType('Template of the base URL of the source API: scheme, host and base path, with variables in braces.')
export class AddressingConfig {
  @OptionalField('Path prefix of every endpoint, with a leading slash.')
  basePath?: string;

  @OptionalField('Host template, such as `{subdomain}.example.com`.')
  host?: string;

  @OptionalField('URL scheme. Defaults to `https`.')
  scheme?: string;

  @OptionalField('All variables in `scheme`, `host` and `basePath`.', () => [AddressingVariable])
  variables?: AddressingVariable[];
}
