import { ParentEligibility, type Traversal } from '../catalog/model/traversal.js';
import { PlainObjectType, RequiredField } from '../kernel/entities/column-decorators.js';

@PlainObjectType('A condition that records of a tap meet before their children are read.')
export class ParentDataFilter {
  @RequiredField('Name of the tap.')
  parentTap: string;

  @RequiredField('The condition.', () => ParentEligibility)
  predicate: ParentEligibility;
}

/** Each condition of each parent tap once, though several edges may name it. */
export function parentDataFiltersOf(traversal: Traversal | null | undefined): ParentDataFilter[] {
  const filters = (traversal?.edges ?? []).flatMap(({ from, parentEligibility = [] }) =>
    parentEligibility.map((predicate) => ({ parentTap: from, predicate })),
  );
  return [...new Map(filters.map((filter) => [JSON.stringify(filter), filter])).values()];
}
