import type { EntityRow } from '../entities/entity-table.js';
import { BatchLoader } from './batch-loader.js';
import type { KnownRows } from './known-rows.js';
import type { MaybePromise } from './lean.js';
import { Pending, whenAllKnown, whenKnown } from './pending.js';
import { RowBudget } from './row-budget.js';
import { RowIndex } from './row-index.js';
import { RowPacer } from './row-pacer.js';

/** The readers of one query execution share this state: the rows that were read, the requested rows, and the limits. */
export class ReadState {
  readonly rows: RowIndex;
  readonly budget = new RowBudget();
  readonly pacer = new RowPacer();
  known: KnownRows | undefined;
  private readonly loaders = new Map<string, BatchLoader<never>>();
  /** Lists that were read in advance and charged to the row budget, but that no object has used yet. */
  readonly #unused = new Set<object>();
  /** Requested lists that a statement is reading. The statement charges each list once to the row budget. */
  readonly #awaited = new WeakSet<object>();
  private readonly results = new Map<string, Promise<unknown>>();

  /**
   * `earlier` is the state of an earlier execution of the same query, whose rows and errors this execution reuses.
   * `remembers` is true if a later execution may reuse the results of `once`.
   */
  constructor(
    private readonly remembers = false,
    private readonly earlier?: ReadState,
  ) {
    this.rows = earlier?.rows ?? new RowIndex();
  }

  /** Returns the result of the earlier execution or, without an earlier result, calls `read`. */
  once<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const known = this.earlier?.results.get(key);
    if (known) return known as Promise<Result>;
    const result = read();
    if (this.remembers) this.results.set(key, result);
    return result;
  }

  /** The loader waits until the request is otherwise idle, so that `loadAll` receives the ids of several depths. */
  loader<Value extends object | number>(
    name: string,
    loadAll: (ids: readonly string[]) => Promise<readonly Value[]>,
  ): BatchLoader<Value> {
    let loader = this.loaders.get(name) as BatchLoader<Value> | undefined;
    if (!loader) {
      const earlier = this.earlier?.loaders.get(name);
      const schedule = (dispatch: () => void): void => this.pacer.whenIdle(dispatch);
      loader = new BatchLoader(loadAll, schedule, earlier as BatchLoader<Value> | undefined);
      this.loaders.set(name, loader as BatchLoader<never>);
    }
    return loader;
  }

  /** Gives the loader a list that was read in advance, so that the loader does not read it again. */
  provide(loader: BatchLoader<EntityRow[]>, id: string, rows: EntityRow[]): void {
    if (loader.provide(id, rows)) this.#unused.add(rows);
  }

  /**
   * Charges the row budget for a list that the request uses again. For the first use, the statement that reads the list
   * charges the budget.
   */
  listOf(found: MaybePromise<EntityRow[]>): MaybePromise<EntityRow[]> {
    if (Array.isArray(found)) this.budget.charge(this.#costOf(found));
    const isRepeated = found instanceof Pending && this.#isRepeated(found);
    return whenKnown(found, (rows) => {
      const count = Math.max(1, rows.length);
      if (isRepeated) this.budget.charge(count);
      return this.pacer.pace(rows, count);
    });
  }

  listsOf(found: readonly MaybePromise<EntityRow[]>[]): MaybePromise<EntityRow[][]> {
    let known = 0;
    const repeated: Pending<EntityRow[]>[] = [];
    for (const rows of found) {
      if (Array.isArray(rows)) known += this.#costOf(rows);
      else if (this.#isRepeated(rows)) repeated.push(rows);
    }
    this.budget.charge(known);
    const paced = (lists: readonly EntityRow[][]) => this.pacer.pace(lists as EntityRow[][], countRows(lists));
    return whenAllKnown(found, (lists) => {
      this.budget.charge(countRows(repeated.map(({ value = [] }) => value)));
      return paced(lists);
    });
  }

  clear(): void {
    this.loaders.clear();
    this.#unused.clear();
    this.results.clear();
    this.rows.clear();
  }

  #isRepeated(list: Pending<EntityRow[]>): boolean {
    if (this.#awaited.has(list)) return true;
    this.#awaited.add(list);
    return false;
  }

  #costOf(rows: readonly EntityRow[]): number {
    return this.#unused.delete(rows) ? 0 : Math.max(1, rows.length);
  }
}

function countRows(lists: readonly (readonly EntityRow[])[]): number {
  return lists.reduce((sum, rows) => sum + Math.max(1, rows.length), 0);
}
