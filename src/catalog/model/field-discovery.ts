import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { Json } from '../../kernel/entities/scalars.js';

@PlainObjectType(
  'A condition on the field descriptions that the describe endpoint returns. A run reads only the fields whose description meets the condition.',
)
export class FieldInclusion {
  @OptionalField('JSON key in a field description. The condition is met if this key has the value in `value`.')
  key?: string;

  @OptionalField('Value that the key must have. If `value` is not set, the key must be missing or null.', () => Json)
  value?: unknown;
}

@PlainObjectType(
  'Objects that a source lists at run time, such as the custom objects of a customer. A workspace adds a tap for each object that it needs.',
)
export class ObjectDiscovery {
  @RequiredField(
    'Name of the tap that describes how the service reads one object. Its requests contain `{objectName}`.',
  )
  tap: string;

  @RequiredField('Path of the endpoint that lists the objects.')
  endpoint: string;

  @OptionalField(
    'JMESPath to the list in the response. The elements of the list are JSON objects, or names. Defaults to the whole body.',
  )
  listPath?: string;

  @OptionalField('JSON key under which an element of the list contains the name of the object. Defaults to `name`.')
  nameKey?: string;

  @OptionalField(
    'JSON key under which an element of the list contains the display name of the object. Without this setting, the objects have no display names.',
  )
  labelKey?: string;
}

@PlainObjectType(
  'Field discovery at run time: a run replaces `wildcardToken` in queries with the names of the fields that a describe endpoint returns.',
)
export class FieldDiscovery {
  @OptionalField(
    'Path of the describe endpoint. The service replaces `{objectName}`, or the variable that `objectNameField` names, with the name of the object.',
  )
  endpointTemplate?: string;

  @OptionalField('JMESPath to the list of field descriptions. Defaults to the whole body.')
  fieldArrayPath?: string;

  @OptionalField('JSON key under which a field description contains the name of the field. Defaults to `name`.')
  fieldNameKey?: string;

  @OptionalField(
    'JSON key under which a field description contains the type of the field. Without this setting, `excludeFieldTypes` has no effect.',
  )
  fieldTypeKey?: string;

  @OptionalField(
    'Maximum total length of the field names in one request, in characters including commas. If the names exceed this length, the service splits them over several requests and merges the records by primary key.',
    () => Int,
  )
  maxFieldsLength?: number;

  @OptionalField(
    'Fields that the service adds to every request if it splits a long list of fields (`maxFieldsLength`). Every request also contains the fields of the primary key, the cursor and the deletion marker.',
    () => [String],
  )
  repeatedFields?: string[];

  @OptionalField('How the service lists the objects of the source at run time.', () => ObjectDiscovery)
  objects?: ObjectDiscovery;

  @OptionalField('Tap setting that contains the object name. Defaults to `objectName`.')
  objectNameField?: string;

  @OptionalField('Placeholder in queries. The service replaces the placeholder with the names of all fields.')
  wildcardToken?: string;

  @OptionalField(
    'Names of field types at the source, such as `base64`. Requests do not select fields of these types.',
    () => [String],
  )
  excludeFieldTypes?: string[];

  @OptionalField(
    'Condition on the description of a field. A run reads only the fields whose description meets the condition.',
    () => FieldInclusion,
  )
  includeCondition?: FieldInclusion;
}
