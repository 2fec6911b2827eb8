import { parentVariableOf } from '../../catalog/model/parent-variable.js';
import type { ParentContextField, TraversalEdge } from '../../catalog/model/traversal.js';
import type { VendorRecord } from '../tap-page.js';
import type { SliceScope } from '../tap-reading.js';
import { fieldValueOf, scalarTextOf } from './field-value.js';

/**
 * Returns undefined if the parent record has no key. `tapFields` apply in addition to the `parentContextFields` of the
 * edge.
 */
export function childScope(
  edge: TraversalEdge,
  parentRecord: VendorRecord,
  tapFields: readonly ParentContextField[] | null = [],
): SliceScope | undefined {
  const key = scalarTextOf(fieldValueOf(parentRecord, edge.parentKeyField));
  if (key === undefined || key === '') return undefined;
  const copied = contextFieldsOf(edge, tapFields).map(
    ({ sourceField, targetField }) => [targetField, fieldValueOf(parentRecord, sourceField) ?? null] as const,
  );
  const texts = copied.map(([name, value]) => [name, scalarTextOf(value)] as const);
  return {
    variables: {
      ...Object.fromEntries(texts.filter((entry): entry is [string, string] => entry[1] !== undefined)),
      [parentVariableOf(edge)]: key,
    },
    parentFields: Object.fromEntries(copied),
  };
}

/** Returns the fields that child records receive from their parent record. */
export function contextFieldsOf(
  edge: TraversalEdge,
  tapFields: readonly ParentContextField[] | null | undefined,
): readonly ParentContextField[] {
  return [...(tapFields ?? []), ...(edge.parentContextFields ?? [])];
}
