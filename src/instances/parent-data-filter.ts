import { ParentEligibility, type Traversal } from '../catalog/model/traversal.js';
import { PlainObjectType, RequiredField } from '../kernel/entities/column-decorators.js';

@PlainObjectType('A condition on parent records. Syncs read child records only of parents that meet the condition.')
export class ParentDataFilter {
  @RequiredField('Name of the parent tap.')
  parentTap: string;

  @RequiredField('Condition that a parent record must meet.', () => ParentEligibility)
  predicate: ParentEligibility;
}

/** Removes duplicates, because several edges may have the same condition. */
export function parentDataFiltersOf(traversal: Traversal | null | undefined): ParentDataFilter[] {
  const filters = (traversal?.edges ?? []).flatMap(({ from, parentEligibility = [] }) =>
    parentEligibility.map((predicate) => ({ parentTap: from, predicate })),
  );
  return [...new Map(filters.map((filter) => [JSON.stringify(filter), filter])).values()];
}
