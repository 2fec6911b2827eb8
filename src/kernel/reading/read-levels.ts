import type { EntityRow, EntityTable } from '../entities/entity-table.js';
import type { BatchLoader } from './batch-loader.js';
import type { LevelTable } from './followed-statement.js';
import type { ReadState } from './read-state.js';

/**
 * Decodes the result of a `followedStatement`. Returns the rows of the list, and provides the rows of each level to the
 * loader of the level. Ignores a level that exceeds the budget of the request, and the levels below it. If the query
 * requires these rows, their loader reads them.
 */
export function readLevels(
  state: ReadState,
  entity: string,
  list: EntityTable,
  levels: readonly LevelTable[],
  texts: readonly (string | null)[],
  loaderOf: (level: LevelTable) => BatchLoader<EntityRow[]>,
): EntityRow[] {
  let next = 0;
  const textsOf = ({ names }: EntityTable) => texts.slice(next, (next += names.length));
  const listTexts = textsOf(list);
  const listArrays = listTexts.map(parseArray);
  state.budget.chargeArrays(rowsIn(listArrays), listTexts);
  const found = decodeRows(list, listArrays);
  state.rows.add(entity, found);
  const read: (EntityRow[] | undefined)[] = [];
  for (const level of levels) {
    const above = level.above < 0 ? found : read[level.above];
    const columns = textsOf(level.table);
    read.push(above && readLevel(state, level, columns, above, loaderOf(level)));
  }
  return found;
}

/** Returns undefined if the rows exceed the budget. */
function readLevel(
  state: ReadState,
  { entity, table, by, keys }: LevelTable,
  texts: readonly (string | null)[],
  above: readonly EntityRow[],
  loader: BatchLoader<EntityRow[]>,
): EntityRow[] | undefined {
  const arrays = texts.map(parseArray);
  if (!state.budget.admitsArrays(rowsIn(arrays), texts)) return undefined;
  const rows = decodeRows(table, arrays);
  if (by !== 'id') state.rows.add(entity.name, rows); // If `by` is `id`, `provide` makes the rows available by id.
  const lists = new Map<string, EntityRow[]>();
  let list: EntityRow[] = [];
  let last: string | undefined;
  for (const row of rows) {
    const id = row[by] as string;
    if (id !== last) lists.set(id, (list = lists.get(id) ?? [])); // Rows with the same id are usually adjacent.
    last = id;
    list.push(row);
  }
  for (const row of above) {
    const id = keys.map((key) => row[key] as string | null).find((one) => one !== null);
    if (id !== undefined) state.provide(loader, id, lists.get(id) ?? []);
  }
  return rows;
}

function decodeRows({ decodeAt }: EntityTable, arrays: readonly unknown[][]): EntityRow[] {
  return Array.from({ length: rowsIn(arrays) }, (_, at) => decodeAt(arrays, at));
}

function rowsIn([first = []]: readonly unknown[][]): number {
  return first.length;
}

/** `json_agg` returns null if there are no rows. */
function parseArray(text: string | null): unknown[] {
  return text === null ? [] : JSON.parse(text);
}
