import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const AddressingVariableSource = wireEnum(
  'AddressingVariableSource',
  'Where the value of an address variable comes from.',
  {
    user_input: 'A field that the customer fills in: of the authentication or ingestion config.',
    oauth_response: 'The reply of the token endpoint, at `oauthResponsePath`.',
    constant: 'The connector itself: a fixed value written in the template.',
  },
);
export type AddressingVariableSource = keyof typeof AddressingVariableSource;

@PlainObjectType('A variable in the host or base path of an address.')
export class AddressingVariable {
  @RequiredField('Name as it stands between braces in the template.')
  name: string;

  @RequiredField('Where its value comes from.', () => AddressingVariableSource)
  source: AddressingVariableSource;

  @OptionalField('JMESPath into the reply of the token endpoint, for source `oauth_response`.')
  oauthResponsePath?: string;

  @OptionalField('Whether a connection without a value is refused.')
  required?: boolean;
}

@PlainObjectType(
  'How the address of the source API is put together: scheme, host and base path with variables in braces.',
)
export class AddressingConfig {
  @OptionalField('Path before every endpoint, with a leading slash.')
  basePath?: string;

  @OptionalField('Host template, such as `{subdomain}.example.com`.')
  host?: string;

  @OptionalField('URL scheme, normally `https`.')
  scheme?: string;

  @OptionalField('Every variable that the templates use.', () => [AddressingVariable])
  variables?: AddressingVariable[];
}
