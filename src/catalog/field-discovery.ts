import { Optional, Shape } from '../kernel/columns.js';
import { Json } from '../kernel/scalars.js';

@Shape('Which described fields are taken.')
export class FieldInclusion {
  @Optional('Key of the field description to look at.')
  key?: string;

  @Optional('Value that it must have.', () => Json)
  value?: unknown;
}

@Shape('How fields are found at run time: wildcard tokens in queries are resolved by calling a describe endpoint.')
export class FieldDiscovery {
  @Optional('Path of the describe endpoint, with the object name in braces.')
  endpointTemplate?: string;

  @Optional('JMESPath to the list of field descriptions.')
  fieldArrayPath?: string;

  @Optional('Key of the name in a field description.')
  fieldNameKey?: string;

  @Optional('Key of the type in a field description.')
  fieldTypeKey?: string;

  @Optional('Tap field that holds the object name.')
  objectNameField?: string;

  @Optional('Token in queries that stands for all fields.')
  wildcardToken?: string;

  @Optional('Source types that are left out.', () => [String])
  excludeFieldTypes?: string[];

  @Optional('Condition on the fields that are taken.', () => FieldInclusion)
  includeCondition?: FieldInclusion;
}
