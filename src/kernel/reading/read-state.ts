import type { EntityRow } from '../entities/entity-tables.js';
import { BatchLoader } from './batch-loader.js';
import type { MaybePromise } from './lean.js';
import { allKnown, Pending, whenKnown } from './pending.js';
import { RowBudget } from './row-budget.js';
import { RowIndex } from './row-index.js';
import { RowPacer } from './row-pacer.js';

/** State that the readers of one request share: the rows read, the rows requested, and the limits. */
export class ReadState {
  readonly rows = new RowIndex();
  readonly budget = new RowBudget();
  readonly pacer = new RowPacer();
  readonly #loaders = new Map<string, BatchLoader<never>>();
  /** Lists that were read and charged in advance, and are not used yet. */
  readonly #unused = new Set<object>();

  /**
   * The loader waits until the request is otherwise idle, so that tree nodes found at different depths join the batch.
   */
  loader<Value extends object | number>(
    name: string,
    loadAll: (ids: readonly string[]) => Promise<readonly Value[]>,
  ): BatchLoader<Value> {
    let loader = this.#loaders.get(name) as BatchLoader<Value> | undefined;
    if (!loader) {
      loader = new BatchLoader(loadAll, (dispatch) => this.pacer.whenIdle(dispatch));
      this.#loaders.set(name, loader as BatchLoader<never>);
    }
    return loader;
  }

  /** Keeps a list that was read in advance for its loader. */
  provide(loader: BatchLoader<EntityRow[]>, id: string, rows: EntityRow[]): void {
    if (loader.provide(id, rows)) this.#unused.add(rows);
  }

  /** Charges rows that need no statement; the statement that reads other rows charges them. */
  listOf(found: MaybePromise<EntityRow[]>): MaybePromise<EntityRow[]> {
    if (Array.isArray(found)) this.budget.charge(this.#costOf(found));
    return whenKnown(found, (rows) => this.pacer.pace(rows, Math.max(1, rows.length)));
  }

  /** Like `listOf`, for the rows of many ids. */
  listsOf(found: readonly MaybePromise<EntityRow[]>[]): MaybePromise<EntityRow[][]> {
    let known = 0;
    for (const rows of found) if (Array.isArray(rows)) known += this.#costOf(rows);
    this.budget.charge(known);
    const paced = (lists: EntityRow[][]) =>
      this.pacer.pace(
        lists,
        lists.reduce((sum, rows) => sum + Math.max(1, rows.length), 0),
      );
    return found.every((rows) => Array.isArray(rows))
      ? paced(found as EntityRow[][])
      : whenKnown(Pending.of(allKnown(found)), paced);
  }

  clear(): void {
    this.#loaders.clear();
    this.#unused.clear();
    this.rows.clear();
  }

  #costOf(rows: readonly EntityRow[]): number {
    return this.#unused.delete(rows) ? 0 : Math.max(1, rows.length);
  }
}
