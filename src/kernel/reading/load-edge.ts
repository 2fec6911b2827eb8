import type { EntityRow } from '../entities/entity-table.js';
import type { EdgePlan } from './edge-plan.js';
import { whenKnown } from './pending.js';
import type { MaybePromise, Reader } from './reader.js';

/** Returns one row or one list per object. */
export function loadEdge(read: Reader, plan: EdgePlan, objects: readonly EntityRow[]): MaybePromise<unknown[]> {
  if (plan.kind === 'row') {
    const { by, to, isNullable } = plan;
    const ids = objects.map((object) => (object[by] ?? null) as string | null);
    const shown = (rows: (EntityRow | undefined)[]) => rows.map((row) => (row?.deletedAt ? undefined : row));
    const found = read.eachById(to, ids);
    return isNullable ? whenKnown(found, shown) : found;
  }
  if (plan.kind === 'list') {
    const ids = objects.map(({ id }) => id as string);
    const existing = (lists: EntityRow[][]) => lists.map(existingRows);
    return whenKnown(read.eachList(plan.of, plan.by, ids), existing);
  }
  if (plan.kind === 'listOfOther') return loadListsOfOthers(read, plan, objects);
  const { of, by, owner, part, parent } = plan;
  const places = objects.map((object): [owner: string, parent: string | null] => [
    object[owner] as string,
    parent === null ? null : (object[parent] as string),
  ]);
  return read.eachBranch(of(), by, part, places);
}

function loadListsOfOthers(
  read: Reader,
  { of, by, owners, isNullIfEmpty }: Extract<EdgePlan, { kind: 'listOfOther' }>,
  objects: readonly EntityRow[],
): MaybePromise<unknown[]> {
  const ids = objects.map((object) => owners.map((name) => object[name]).find((id) => id) as string | undefined);
  const known = ids.filter((id) => id !== undefined);
  const perObject = (lists: EntityRow[][]) => {
    let next = 0;
    return ids.map((id) => {
      const list = id === undefined ? undefined : lists[next++];
      return isNullIfEmpty && list?.length === 0 ? undefined : list;
    });
  };
  return whenKnown(read.eachList(of(), by, known), perObject);
}

export function existingRows(rows: EntityRow[]): EntityRow[] {
  return rows.some((row) => row.deletedAt) ? rows.filter((row) => !row.deletedAt) : rows;
}
