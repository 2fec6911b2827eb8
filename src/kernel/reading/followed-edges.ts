import type { EntityClass } from '@mikro-orm/core';
import type { EdgePlan } from './edge-plan.js';

export interface FollowedEdge {
  readonly plan: EdgePlan;
  readonly below: readonly FollowedEdge[];
}

/** Rows that a query reaches from the rows of a list. The reader reads them together with the list. */
export interface FollowedRows {
  /** Entity name of the list. */
  readonly from: string;
  readonly levels: readonly FollowedLevel[];
}

/** The rows to which one edge leads. */
export interface FollowedLevel {
  readonly entity: EntityClass<object>;
  /**
   * Property that refers to a row of the level above. `keys` are properties of that row. The first key that is not null
   * equals the value of `by`.
   */
  readonly by: string;
  readonly keys: readonly string[];
  /** Index of the level above, or -1 for the list. */
  readonly above: number;
}

/** Bounds the size of the statement. */
const MAX_LEVELS = 12;

/**
 * Returns the rows to read together with a list. Omits entities that the list or another level already reads, such as
 * the vendor of a vendor's grouping.
 */
export function followedRows(from: string, edges: readonly FollowedEdge[]): FollowedRows | undefined {
  const levels: FollowedLevel[] = [];
  const names = new Set([from]);
  const add = (edge: FollowedEdge, above: number): void => {
    const level = { ...connectionOf(edge.plan), above };
    const { name } = level.entity;
    if (names.has(name) || levels.length === MAX_LEVELS) return;
    names.add(name);
    const index = levels.push(level) - 1;
    for (const next of edge.plan.kind === 'branch' ? edgesOfTree(edge) : edge.below) add(next, index);
  };
  for (const edge of edges) add(edge, -1);
  return levels.length > 0 ? { from, levels } : undefined;
}

/** Returns the properties that connect the rows of an edge with the objects at which the edge starts. */
export function connectionOf(plan: EdgePlan): Omit<FollowedLevel, 'above'> {
  if (plan.kind === 'row') return { entity: plan.to, by: 'id', keys: [plan.by] };
  if (plan.kind === 'list') return { entity: plan.of, by: plan.by, keys: ['id'] };
  return { entity: plan.of(), by: plan.by, keys: plan.kind === 'branch' ? [plan.owner] : plan.owners };
}

/**
 * Returns only the edges that the query follows at every depth of the tree, because one statement reads the rows of all
 * depths.
 */
function edgesOfTree({ plan, below }: FollowedEdge): readonly FollowedEdge[] {
  const isDeeper = (edge: FollowedEdge): boolean =>
    plan.kind === 'branch' && edge.plan.kind === 'branch' && edge.plan.of() === plan.of() && edge.plan.by === plan.by;
  const own = below.filter((edge) => !isDeeper(edge));
  return below.filter(isDeeper).map(edgesOfTree).reduce(inBoth, own);
}

function inBoth(edges: readonly FollowedEdge[], others: readonly FollowedEdge[]): readonly FollowedEdge[] {
  return edges.flatMap(({ plan, below }) => {
    const other = others.find((one) => one.plan === plan);
    return other ? [{ plan, below: inBoth(below, other.below) }] : [];
  });
}
