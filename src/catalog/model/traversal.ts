import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';

@PlainObjectType('A field copied from a parent record onto each of its child records.')
export class ParentContextField {
  @RequiredField('Field of the parent record.')
  sourceField: string;

  @RequiredField('Name that it gets on the child record.')
  targetField: string;
}

@PlainObjectType('A condition that a parent record meets before its children are read.')
export class ParentEligibility {
  @RequiredField('Field of the parent record.')
  field: string;

  @RequiredField('Comparison: eq, neq, in, not_in, gt, gte, lt, lte.')
  operator: string;

  @OptionalField('Number to compare with, for the ordering comparisons.')
  threshold?: number;

  @OptionalField('Texts to compare with, for the others.', () => [String])
  values?: string[];
}

@PlainObjectType('One tap read once for every record of another.')
export class TraversalEdge {
  @RequiredField('Name of the parent tap.')
  from: string;

  @RequiredField('Name of the child tap.')
  to: string;

  @RequiredField('Field of the parent record whose value goes into the child request.')
  parentKeyField: string;

  @OptionalField('Most parent records that are followed in one run.', () => Int)
  fanOutLimit?: number;

  @OptionalField('Variable of the child request that takes the value.')
  templateVariable?: string;

  @OptionalField('Fields handed down to the child records.', () => [ParentContextField])
  parentContextFields?: ParentContextField[];

  @OptionalField('Conditions on the parent record; all are met.', () => [ParentEligibility])
  parentEligibility?: ParentEligibility[];
}

@PlainObjectType('A root tap read once for every item that the customer lists in a config field.')
export class ConfigFanout {
  @RequiredField('Ingestion config field that holds the list.')
  configField: string;

  @RequiredField('Variable of the request that takes each item.')
  templateVariable: string;

  @OptionalField('What separates the items where the field is one text.')
  separator?: string;
}

@PlainObjectType('The tap graph: which taps are read first, and which follow from the records of others.')
export class Traversal {
  @RequiredField('Names of the taps without a parent.', () => [String])
  rootTaps: string[];

  @OptionalField('Roots that are read once per configured item.', () => [ConfigFanout])
  configFanouts?: ConfigFanout[];

  @OptionalField('Parent to child steps.', () => [TraversalEdge])
  edges?: TraversalEdge[];
}
