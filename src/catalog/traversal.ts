import { Int } from 'type-graphql';
import { Optional, Required, Shape } from '../kernel/columns.js';

@Shape('A field copied from a parent record onto each of its child records.')
export class ParentContextField {
  @Required('Field of the parent record.')
  sourceField: string;

  @Required('Name that it gets on the child record.')
  targetField: string;
}

@Shape('A condition that a parent record meets before its children are read.')
export class ParentEligibility {
  @Required('Field of the parent record.')
  field: string;

  @Required('Comparison: eq, neq, in, not_in, gt, gte, lt, lte.')
  operator: string;

  @Optional('Number to compare with, for the ordering comparisons.')
  threshold?: number;

  @Optional('Texts to compare with, for the others.', () => [String])
  values?: string[];
}

@Shape('One tap read once for every record of another.')
export class TraversalEdge {
  @Required('Name of the parent tap.')
  from: string;

  @Required('Name of the child tap.')
  to: string;

  @Required('Field of the parent record whose value goes into the child request.')
  parentKeyField: string;

  @Optional('Most parent records that are followed in one run.', () => Int)
  fanOutLimit?: number;

  @Optional('Variable of the child request that takes the value.')
  templateVariable?: string;

  @Optional('Fields handed down to the child records.', () => [ParentContextField])
  parentContextFields?: ParentContextField[];

  @Optional('Conditions on the parent record; all are met.', () => [ParentEligibility])
  parentEligibility?: ParentEligibility[];
}

@Shape('A root tap read once for every item that the customer lists in a config field.')
export class ConfigFanout {
  @Required('Ingestion config field that holds the list.')
  configField: string;

  @Required('Variable of the request that takes each item.')
  templateVariable: string;

  @Optional('What separates the items where the field is one text.')
  separator?: string;
}

@Shape('The tap graph: which taps are read first, and which follow from the records of others.')
export class Traversal {
  @Required('Names of the taps without a parent.', () => [String])
  rootTaps: string[];

  @Optional('Roots that are read once per configured item.', () => [ConfigFanout])
  configFanouts?: ConfigFanout[];

  @Optional('Parent to child steps.', () => [TraversalEdge])
  edges?: TraversalEdge[];
}
