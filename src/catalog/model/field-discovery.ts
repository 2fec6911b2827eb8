import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType } from '../../kernel/entities/column-decorators.js';
import { Json } from '../../kernel/entities/scalars.js';

@PlainObjectType('Condition that a field returned by the describe endpoint must meet to be read.')
export class FieldInclusion {
  @OptionalField('Key of the field description to compare.')
  key?: string;

  @OptionalField('Required value.', () => Json)
  value?: unknown;
}

@PlainObjectType(
  'Field discovery at run time: a run replaces the wildcard token in queries with the fields that a describe endpoint returns.',
)
export class FieldDiscovery {
  @OptionalField('Path of the describe endpoint, with the object name in braces.')
  endpointTemplate?: string;

  @OptionalField('JMESPath to the list of field descriptions.')
  fieldArrayPath?: string;

  @OptionalField('Key in a field description whose value is the name of the field.')
  fieldNameKey?: string;

  @OptionalField('Key of the type in a field description.')
  fieldTypeKey?: string;

  @OptionalField(
    'Maximum length of the names in one request, in characters including commas. Longer lists are read with several requests, and the records of these requests are merged by key.',
    () => Int,
  )
  maxFieldsLength?: number;

  @OptionalField(
    'Fields that each of several requests contains, in addition to the fields of the key, the cursor and the deletion marker.',
    () => [String],
  )
  repeatedFields?: string[];

  @OptionalField('Tap field that holds the object name.')
  objectNameField?: string;

  @OptionalField('Token in queries that is replaced by all fields.')
  wildcardToken?: string;

  @OptionalField('Field types of the source to exclude.', () => [String])
  excludeFieldTypes?: string[];

  @OptionalField('Condition for reading a field.', () => FieldInclusion)
  includeCondition?: FieldInclusion;
}
