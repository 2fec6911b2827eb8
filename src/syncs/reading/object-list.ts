import { SyncErrorClass } from '../../catalog/model/sync-error-class.js';
import { SyncResponsible } from '../../instances/sync-failure-advice.js';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { Base62Id } from '../../kernel/ids.js';

@PlainObjectType('An object of the source that a tap can read, such as a custom object of the customer.')
export class SourceObject {
  @RequiredField('Name of the object at the source.')
  name: string;

  @OptionalField('Display name. Null if the source has none.')
  label?: string;

  @OptionalField('Id of the tap that reads the object. Null if no tap of the connection reads it.', () => Base62Id)
  tenantConnectorTapId?: string;
}

@PlainObjectType('Objects that the source lists.')
export class SourceObjectList {
  @RequiredField('Id of the connector tap that describes how the service reads one object.', () => Base62Id)
  tapId: string;

  @RequiredField('At most 5,000 objects, ordered by name.', () => [SourceObject])
  objects: SourceObject[];

  @RequiredField(
    'Whether the source lists more than 5,000 objects. The response contains only the first 5,000 by name.',
  )
  isTruncated: boolean;

  @OptionalField('Class of the failure. Null if the service listed the objects.', () => SyncErrorClass)
  errorClass?: SyncErrorClass;

  @OptionalField('Description of the failure. Null if the service listed the objects.')
  errorMessage?: string;

  @OptionalField('Who must act. Null if the service listed the objects.', () => SyncResponsible)
  responsible?: SyncResponsible;

  @OptionalField('Recommended action after the failure. Null if the service listed the objects.')
  nextStep?: string;
}
