import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { Json } from '../../kernel/entities/scalars.js';

@PlainObjectType(
  'A condition on the description of a field that the describe endpoint returns. A run reads only the fields that meet the condition.',
)
export class FieldInclusion {
  @OptionalField('Key in the description of a field. Its value must equal `value`.')
  key?: string;

  @OptionalField('Required value. If it is not set, the key must be missing or null.', () => Json)
  value?: unknown;
}

@PlainObjectType(
  'Objects that a source lists at run time, such as the custom objects of a customer. A workspace adds a tap for each object that it needs.',
)
export class ObjectDiscovery {
  @RequiredField('Name of the tap that describes how one object is read. Its requests contain `{objectName}`.')
  tap: string;

  @RequiredField('Path of the endpoint that lists the objects.')
  endpoint: string;

  @OptionalField(
    'JMESPath to the list in the response. The elements of the list are JSON objects, or names. Defaults to the whole body.',
  )
  listPath?: string;

  @OptionalField('Key of the name in an element of the list. Defaults to `name`.')
  nameKey?: string;

  @OptionalField('Key of the display name in an element of the list.')
  labelKey?: string;
}

@PlainObjectType(
  'Field discovery at run time: a run replaces the wildcard token in queries with the fields that a describe endpoint returns.',
)
export class FieldDiscovery {
  @OptionalField('Path of the describe endpoint, with the object name in braces.')
  endpointTemplate?: string;

  @OptionalField('JMESPath to the list of field descriptions. Defaults to the whole body.')
  fieldArrayPath?: string;

  @OptionalField('Key of the name in a field description. Defaults to `name`.')
  fieldNameKey?: string;

  @OptionalField('Key of the type in a field description.')
  fieldTypeKey?: string;

  @OptionalField(
    'Maximum length of the names in one request, in characters including commas. The service reads a longer list with several requests, and merges their records by primary key.',
    () => Int,
  )
  maxFieldsLength?: number;

  @OptionalField(
    'Fields that every request contains if `maxFieldsLength` splits the list. Every request also contains the fields of the key, the cursor and the deletion marker.',
    () => [String],
  )
  repeatedFields?: string[];

  @OptionalField('Objects that the source lists at run time.', () => ObjectDiscovery)
  objects?: ObjectDiscovery;

  @OptionalField('Setting of the tap that contains the object name. Defaults to `objectName`.')
  objectNameField?: string;

  @OptionalField('Token in queries. The service replaces it with the names of all fields.')
  wildcardToken?: string;

  @OptionalField('Types, as the source names them, of fields that requests do not select.', () => [String])
  excludeFieldTypes?: string[];

  @OptionalField(
    'Condition on the field descriptions. A run reads only the fields that meet the condition.',
    () => FieldInclusion,
  )
  includeCondition?: FieldInclusion;
}
