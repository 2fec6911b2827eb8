import { parentVariableOf } from '../../catalog/model/parent-variable.js';
import type { TransportOption } from '../../catalog/model/transport-option.js';
import type { TraversalEdge } from '../../catalog/model/traversal.js';
import { fitsFilter, normalized, PARENT_VALUES, type ParentFilter, parentFilterOf } from '../requests/parent-filter.js';
import type { SliceScope } from '../tap-reading.js';

/** Groups the scopes of parent records, for a tap that reads the children of several parents with one request. */
export class ParentGroups {
  #values: string[] = [];
  #last: string | undefined;

  constructor(
    private readonly filter: ParentFilter,
    private readonly variable: string,
  ) {}

  /** Returns undefined for a tap that a sync reads once per parent record. */
  static of(options: readonly TransportOption[], edge: TraversalEdge): ParentGroups | undefined {
    const filter = parentFilterOf(options);
    return filter && new ParentGroups(filter, parentVariableOf(edge));
  }

  keyedBy(edge: TraversalEdge): TraversalEdge {
    return { ...edge, parentKeyField: this.filter.field, templateVariable: this.variable };
  }

  /** Adds scopes, which must be in the order of their keys. Yields the groups that become complete. */
  *add(scopes: readonly SliceScope[]): Generator<SliceScope> {
    for (const { variables, parentFields } of scopes) {
      const value = normalized(this.filter, variables[this.variable] ?? '');
      if (value === this.#last) continue;
      this.#last = value;
      // A value that cannot share a request has its own request, so that its failure does not affect the values of
      // other parents.
      if (this.filter.chunkSize === 1 || !fitsFilter(this.filter, value)) yield groupOf([value], parentFields);
      else {
        this.#values.push(value);
        if (this.#values.length === this.filter.chunkSize) yield* this.end();
      }
    }
  }

  *end(): Generator<SliceScope> {
    if (this.#values.length > 0) yield groupOf(this.#values);
    this.#values = [];
  }
}

function groupOf(values: readonly string[], parentFields: SliceScope['parentFields'] = {}): SliceScope {
  return { variables: { [PARENT_VALUES]: JSON.stringify(values) }, parentFields };
}
