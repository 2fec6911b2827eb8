import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';

@PlainObjectType('A field copied from a parent record to each of its child records.')
export class ParentContextField {
  @RequiredField('Field of the parent record.')
  sourceField: string;

  @RequiredField('Field of the child record.')
  targetField: string;
}

export const ELIGIBILITY_OPERATORS = ['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte'] as const;

@PlainObjectType(
  'A condition on parent records. The service reads the children of a parent record only if the record meets the condition.',
)
export class ParentEligibility {
  @RequiredField('Field of the parent record.')
  field: string;

  @RequiredField('Comparison: `eq`, `neq`, `in`, `not_in`, `gt`, `gte`, `lt` or `lte`.')
  operator: string;

  @OptionalField('Number to compare with, for `gt`, `gte`, `lt` and `lte`.')
  threshold?: number;

  @OptionalField('Values to compare with, for `eq`, `neq`, `in` and `not_in`.', () => [String])
  values?: string[];
}

@PlainObjectType(
  'A pair of a parent tap and a child tap. The service reads the child tap once per record of the parent tap.',
)
export class TraversalEdge {
  @RequiredField('Name of the parent tap.')
  from: string;

  @RequiredField('Name of the child tap.')
  to: string;

  @RequiredField('Field of the parent record. The child request contains the value of this field.')
  parentKeyField: string;

  @OptionalField('Maximum number of parent records whose children one run reads. Defaults to no limit.', () => Int)
  fanOutLimit?: number;

  @OptionalField('Name of the variable that receives the value. Defaults to `parentKeyField`.')
  templateVariable?: string;

  @OptionalField('Fields copied to the child records.', () => [ParentContextField])
  parentContextFields?: ParentContextField[];

  @OptionalField(
    'Conditions on parent records. The service reads the children of a parent record only if the record meets all conditions.',
    () => [ParentEligibility],
  )
  parentEligibility?: ParentEligibility[];

  @OptionalField(
    'Field of the parent record that contains the time of the last change to this record or its children. If this time has not changed since the last read of the children, a sync does not read the children again. Requires an incremental child tap.',
  )
  parentChangeField?: string;
}

@PlainObjectType(
  'A config field with several items. If the requests of a tap contain `templateVariable`, the service reads the tap once per item.',
)
export class ConfigFanout {
  @RequiredField('Config field with the list of items.')
  configField: string;

  @RequiredField('Name of the variable that the service replaces with the item, such as `region` for `{region}`.')
  templateVariable: string;

  @OptionalField('Separator of the items, if the field is a string. Defaults to a comma.')
  separator?: string;

  @OptionalField('Record field that receives the item.')
  targetField?: string;
}

@PlainObjectType(
  'Fixed values of a variable. If the requests of a tap contain the variable, the service reads the tap once per value.',
)
export class StaticFanout {
  @RequiredField('Name of the variable that the service replaces with the value, such as `region` for `{region}`.')
  templateVariable: string;

  @RequiredField('Values of the variable.', () => [String])
  values: string[];

  @OptionalField('Record field that receives the value.')
  targetField?: string;
}

@PlainObjectType(
  'Dependencies between taps: the root taps, and the taps that the service reads once per parent record.',
)
export class Traversal {
  @RequiredField('Names of the taps without a parent.', () => [String])
  rootTaps: string[];

  @OptionalField(
    'Config fields with several items. If the requests of a tap contain the variable of such a field, the service reads the tap once per item.',
    () => [ConfigFanout],
  )
  configFanouts?: ConfigFanout[];

  @OptionalField(
    'Variables with several fixed values. If the requests of a tap contain such a variable, the service reads the tap once per value.',
    () => [StaticFanout],
  )
  staticFanouts?: StaticFanout[];

  @OptionalField('Pairs of a parent tap and a child tap.', () => [TraversalEdge])
  edges?: TraversalEdge[];
}
