import type { EntityClass } from '@mikro-orm/core';
import type { EdgePlan } from './edge-plan.js';

export interface FollowedEdge {
  readonly plan: EdgePlan;
  readonly below: readonly FollowedEdge[];
}

/** Rows that the query reaches by edges from the rows of a list, and that are read together with the list. */
export interface FollowedRows {
  /** Name of the entity of the list. */
  readonly from: string;
  readonly levels: readonly FollowedLevel[];
}

/** The rows that one edge leads to. */
export interface FollowedLevel {
  readonly entity: EntityClass<object>;
  /**
   * `by`: property of the rows. Its value is the first value that is not null among the properties `keys` of a row of
   * the level above.
   */
  readonly by: string;
  readonly keys: readonly string[];
  /** Index of the level above; -1: the list. */
  readonly above: number;
}

/** Maximum number of levels in one statement, which keeps the statement small. */
const MAX_LEVELS = 12;

/**
 * The rows to read with a list, each level after the level above it. Omits rows that the request has already, such as
 * the vendor of a grouping of this vendor, and rows that are read at another level.
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

/** The properties that connect the rows of an edge with the objects that it starts from. */
export function connectionOf(plan: EdgePlan): Omit<FollowedLevel, 'above'> {
  if (plan.kind === 'row') return { entity: plan.to, by: 'id', keys: [plan.by] };
  if (plan.kind === 'list') return { entity: plan.of, by: plan.by, keys: ['id'] };
  return { entity: plan.of(), by: plan.by, keys: plan.kind === 'branch' ? [plan.owner] : plan.owners };
}

/** The edges that the query follows at any depth of the tree. The rows of the whole tree are read together. */
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
