import type { TraversalEdge } from '../../catalog/model/traversal.js';
import type { TableServices } from '../../tables/table-context.js';
import { combineScopes, groupEdges } from '../reading/group-edges.js';
import { ParentGroups } from '../reading/group-parents.js';
import type { LoadedRun } from '../runs/load-run.js';
import type { OpenTap } from '../runs/sync-services.js';
import { TapReadError } from '../tap-read-error.js';
import type { SliceScope } from '../tap-reading.js';
import { childScopes } from './child-scopes.js';
import type { ParentScope } from './parent-version.js';

/** Maximum number of parent records in memory per variable. The service streams the records of the first variable. */
const MAX_COMBINED_PARENTS = 10_000;

/** Maximum number of scopes of a run. A scope can have several slices, one per time window. */
const MAX_SCOPES = 10_000_000;

/** Maximum number of scopes per call of `take`. */
const BATCH = 1_000;

/** A request that reads the children of several parent records has no single parent version to compare. */
const NONE: ReadonlySet<string> = new Set();

type Receiver = Parameters<typeof childScopes>[3];

/**
 * Passes the scopes of the tap to `take`. Returns the number of eligible parent records that `fanOutLimit` excludes.
 * Throws `TapReadError`.
 */
export async function tapScopes(
  services: TableServices,
  loaded: LoadedRun,
  tap: Pick<OpenTap, 'fanOut'>,
  { take, comparable, signal }: Receiver,
): Promise<number> {
  const edges = (loaded.connector.traversal?.edges ?? []).filter(({ to }) => to === loaded.definition.name);
  const [streamed, ...others] = groupEdges(edges);
  let count = 0;
  const takeAll = async (scopes: Iterable<ParentScope>): Promise<void> => {
    for (const batch of batchesOf(scopes)) {
      count += batch.length;
      if (count > MAX_SCOPES) throw tooManyScopes();
      await take(batch);
    }
  };
  if (!streamed) {
    await takeAll(tap.fanOut());
    return 0;
  }
  let leftOut = 0;
  const collected: SliceScope[][] = [];
  for (const group of others) {
    const found: SliceScope[] = [];
    const collect = async (scopes: readonly SliceScope[]): Promise<void> => {
      found.push(...scopes);
      if (found.length > MAX_COMBINED_PARENTS) throw tooManyParents(group);
    };
    for (const edge of group)
      leftOut += await childScopes(services, loaded, edge, { take: collect, comparable, signal });
    collected.push(found);
  }
  function* combined(parents: readonly ParentScope[]): Generator<ParentScope> {
    for (const { parentVersion, ...parent } of parents)
      for (const one of combineScopes([[parent], ...collected]))
        for (const scope of tap.fanOut(one)) yield { ...scope, parentVersion };
  }
  const combine = (parents: readonly ParentScope[]): Promise<void> => takeAll(combined(parents));
  const groups = ParentGroups.of(loaded.definition.transportOptions, streamed[0] as TraversalEdge);
  if (groups) {
    const group = (scopes: readonly ParentScope[]): Promise<void> => combine([...groups.add(scopes)]);
    for (const edge of streamed)
      leftOut += await childScopes(services, loaded, groups.keyedBy(edge), { take: group, comparable: NONE, signal });
    await combine([...groups.end()]);
    return leftOut;
  }
  for (const edge of streamed)
    leftOut += await childScopes(services, loaded, edge, { take: combine, comparable, signal });
  return leftOut;
}

function tooManyParents(group: readonly TraversalEdge[]): TapReadError {
  const names = group.map(({ from }) => `"${from}"`).join(' and ');
  const parents = group.length > 1 ? `parent taps ${names} together` : `parent tap ${names}`;
  const message = `More than ${MAX_COMBINED_PARENTS.toLocaleString('en')} records of the ${parents} meet parentEligibility. This number is the maximum for a tap that combines several parent taps.`;
  return new TapReadError('contract', 'fail_tap', message);
}

function tooManyScopes(): TapReadError {
  const message = `The tap run has more than the maximum of ${MAX_SCOPES.toLocaleString('en')} combinations of parent records and fan-out values.`;
  return new TapReadError('contract', 'fail_tap', message);
}

function* batchesOf<Item>(items: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
