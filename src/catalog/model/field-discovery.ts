import { OptionalField, PlainObjectType } from '../../kernel/entities/column-decorators.js';
import { Json } from '../../kernel/entities/scalars.js';

@PlainObjectType('Which described fields are taken.')
export class FieldInclusion {
  @OptionalField('Key of the field description to look at.')
  key?: string;

  @OptionalField('Value that it must have.', () => Json)
  value?: unknown;
}

@PlainObjectType(
  'How fields are found at run time: wildcard tokens in queries are resolved by calling a describe endpoint.',
)
export class FieldDiscovery {
  @OptionalField('Path of the describe endpoint, with the object name in braces.')
  endpointTemplate?: string;

  @OptionalField('JMESPath to the list of field descriptions.')
  fieldArrayPath?: string;

  @OptionalField('Key of the name in a field description.')
  fieldNameKey?: string;

  @OptionalField('Key of the type in a field description.')
  fieldTypeKey?: string;

  @OptionalField('Tap field that holds the object name.')
  objectNameField?: string;

  @OptionalField('Token in queries that stands for all fields.')
  wildcardToken?: string;

  @OptionalField('Source types that are left out.', () => [String])
  excludeFieldTypes?: string[];

  @OptionalField('Condition on the fields that are taken.', () => FieldInclusion)
  includeCondition?: FieldInclusion;
}
