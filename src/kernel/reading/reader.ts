import type { EntityClass } from '@mikro-orm/core';
import type { EntityRow, EntityTable } from '../entities/entity-table.js';
import type { Tables } from '../entities/entity-tables.js';
import { decodeId } from '../ids.js';
import type { BatchLoader } from './batch-loader.js';
import type { FollowedRows } from './followed-edges.js';
import { followedStatement, levelTables } from './followed-statement.js';
import type { Lean, MaybePromise } from './lean.js';
import { isAdHoc, type OptionalPage, requireAtMost, type SelectedPage, WHOLE_LIST } from './list-selection.js';
import { whenAllKnown, whenKnown } from './pending.js';
import { readLevels } from './read-levels.js';
import { ReadState } from './read-state.js';
import { batchStatement, countStatement, pageStatement, type RowLimit } from './reader-statements.js';
import { type QueryConnection, runStatement } from './run-statement.js';

export type { Lean, MaybePromise, QueryConnection };

const NO_ROWS: EntityRow[] = [];

/** Reads rows for one request. Returns cached rows without a promise. */
export class Reader {
  constructor(
    readonly tables: Tables,
    private readonly connection: QueryConnection,
    /** Workspace whose rows are visible. If undefined, the reader finds no rows in tables of workspaces. */
    private readonly tenantId?: string,
    readonly state = new ReadState(),
    private readonly followed?: FollowedRows,
  ) {}

  /** Returns a reader of the columns of `tables`, without cached rows. It remembers its reads for `again`. */
  over(tables: Tables): Reader {
    return new Reader(tables, this.connection, this.tenantId, new ReadState(true));
  }

  /** Returns a reader with the rows and errors of this reader. If `fault` is set, reads of other rows throw it. */
  again(fault?: Error): Reader {
    const connection = fault ? { query: () => Promise.reject(fault) } : this.connection;
    return new Reader(this.tables, connection, this.tenantId, new ReadState(false, this.state));
  }

  /** Returns a reader with the same cache. It reads the rows of `followed` together with lists of `followed.from`. */
  following(followed: FollowedRows): Reader {
    return new Reader(this.tables, this.connection, this.tenantId, this.state, followed);
  }

  /** The caller must clear the cache after a write. */
  clear(): void {
    this.state.clear();
  }

  /** Returns undefined if the row does not exist. */
  byId<Entity extends object>(entity: EntityClass<Entity>, id: string): MaybePromise<Lean<Entity> | undefined> {
    const row = this.state.rows.of(entity.name)(id);
    if (row) {
      this.state.budget.charge(1);
      return this.state.pacer.pace(row as Lean<Entity>, 1);
    }
    return whenKnown(this.#load(entity, 'id', id), ([first]) => first as Lean<Entity> | undefined);
  }

  /** Returns the rows whose relation `property` refers to `id`, in the entity's order. */
  many<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    id: string,
  ): MaybePromise<Lean<Entity>[]> {
    return this.#load(entity, property, id) as MaybePromise<Lean<Entity>[]>;
  }

  /** Returns the first `count` rows of `many` that match `where`, an SQL condition on columns. */
  latest<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    id: string,
    count: number,
    where = 'true',
  ): MaybePromise<Lean<Entity>[]> {
    return this.#load(entity, property, id, { count, where }) as MaybePromise<Lean<Entity>[]>;
  }

  /** Like `many`, but only with rows whose `part` is `value`. Groups the rows only once for all values of `part`. */
  branch<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    id: string,
    part: keyof Lean<Entity> & string,
    value: string | null,
  ): MaybePromise<Lean<Entity>[]> {
    const pick = (rows: readonly EntityRow[]): MaybePromise<Lean<Entity>[]> => {
      const branch = this.state.rows.branch(rows, part, value);
      this.state.budget.charge(branch.length);
      return this.state.pacer.pace(branch as Lean<Entity>[], branch.length);
    };
    return whenKnown(this.#loaderOf(entity, property).load(id), pick);
  }

  /** Like `byId`, for several ids. The result for a null id is undefined. */
  eachById(entity: EntityClass<object>, ids: readonly (string | null)[]): MaybePromise<(EntityRow | undefined)[]> {
    const find = this.state.rows.of(entity.name);
    const loader = this.#loaderOf(entity, 'id');
    const found = ids.map((id) => {
      if (id === null) return NO_ROWS;
      const row = find(id);
      return row ? [row] : loader.load(id);
    });
    return whenKnown(this.state.listsOf(found), (lists) => lists.map(([first]) => first));
  }

  eachList(entity: EntityClass<object>, property: string, ids: readonly string[]): MaybePromise<EntityRow[][]> {
    const loader = this.#loaderOf(entity, property);
    return this.state.listsOf(ids.map((id) => loader.load(id)));
  }

  /** Like `branch`, for several places. Each place consists of an id and a value of `part`. */
  eachBranch(
    entity: EntityClass<object>,
    property: string,
    part: string,
    places: readonly (readonly [id: string, value: string | null])[],
  ): MaybePromise<EntityRow[][]> {
    const loader = this.#loaderOf(entity, property);
    const pick = (trees: EntityRow[][]) =>
      this.state.listsOf(trees.map((rows, at) => this.state.rows.branch(rows, part, places[at]?.[1] as string | null)));
    return whenAllKnown(
      places.map(([id]) => loader.load(id)),
      pick,
    );
  }

  /** Returns the value immediately or, after many rows, in a later turn of the event loop. */
  pace<Value>(value: Value, rows: number): MaybePromise<Value> {
    return this.state.pacer.pace(value, rows);
  }

  /** Returns rows in the entity's order. `page.where` is SQL, and `values` are its parameters `$1`, `$2`. */
  async select<Entity extends object>(
    entity: EntityClass<Entity>,
    page: SelectedPage,
    values: readonly unknown[] = [],
  ): Promise<Lean<Entity>[]> {
    const isRare = isAdHoc(page.selection ?? WHOLE_LIST);
    const read = async (): Promise<EntityRow[]> => {
      const own = [...values];
      const statement = (table: EntityTable) => pageStatement(table, page, own);
      const followed = isRare ? undefined : await this.#readFollowed(entity, statement, own);
      return followed ?? this.#read(entity, statement, own, isRare);
    };
    const rows = await this.state.once(JSON.stringify([entity.name, page, values]), read);
    return this.state.pacer.pace(rows as Lean<Entity>[], rows.length);
  }

  /** Without `limit`, returns all rows, and throws BAD_REQUEST if there are more than `most`. */
  async pageOrAll<Entity extends object>(
    entity: EntityClass<Entity>,
    { most, limit, ...page }: OptionalPage & { most: number },
    values: readonly unknown[] = [],
  ): Promise<Lean<Entity>[]> {
    if (limit) return this.select(entity, { ...page, limit }, values);
    const rows = await this.select(entity, { ...page, limit: most + 1 }, values);
    requireAtMost(most, rows);
    this.state.budget.raiseFor(rows.length);
    return rows;
  }

  /** Row limit of a custom statement: one row more than the budget, so that a longer result exceeds the budget. */
  get maxRows(): number {
    return this.state.budget.left + 1;
  }

  /**
   * Runs a custom statement that returns rows. The last column of the statement must be a string, and becomes `note`.
   * If the table belongs to workspaces, the workspace is the last parameter, after all `values`.
   */
  async notedRows(
    entity: EntityClass<object>,
    statement: (table: EntityTable) => string,
    values: readonly unknown[],
    isAdHoc = false,
  ): Promise<{ row: EntityRow; note: string }[]> {
    const table = this.tables.of(entity);
    const texts = await this.texts(entity, statement, values, isAdHoc);
    return this.#decode(entity, table, texts).map((row, at) => ({ row, note: texts[at]?.at(-1) as string }));
  }

  /** Runs a custom statement with the parameters of `notedRows`. Returns all values as strings. */
  texts(
    entity: EntityClass<object>,
    statement: (table: EntityTable) => string,
    values: readonly unknown[],
    isAdHoc = false,
  ): Promise<(string | null)[][]> {
    const table = this.tables.of(entity);
    const text = statement(table); // `statement` may append parameters to `values`, which the next line reads.
    return this.rows(text, [...values, ...this.#tenantOf(table)], isAdHoc);
  }

  /** Loads a value by id. Concurrent calls with the same `name` share one `load`. `most` is the maximum row count. */
  batched<Value extends object | number>(
    name: string,
    id: string,
    load: (ids: readonly string[], most: number) => Promise<Value[]>,
  ): MaybePromise<Value> {
    return whenKnown(this.state.loader(name, (ids) => load(ids, this.maxRows)).load(id), (value) => {
      const rows = Array.isArray(value) ? Math.max(1, value.length) : 1;
      this.state.budget.charge(rows);
      return this.state.pacer.pace(value, rows);
    });
  }

  /** Caches the rows whose `property` is `id`, unless the reader already has them. */
  provide(entity: EntityClass<object>, property: string, id: string, rows: EntityRow[]): void {
    this.state.provide(this.#loaderOf(entity, property), id, rows);
  }

  async count(
    entity: EntityClass<object>,
    where = 'true',
    values: readonly unknown[] = [],
    selection = WHOLE_LIST,
  ): Promise<number> {
    const own = [...values];
    const statement = (table: EntityTable) => countStatement(table, where, selection, own);
    return Number((await this.texts(entity, statement, own, isAdHoc(selection)))[0]?.[0]);
  }

  /** Runs a custom statement, and prepares it unless `isAdHoc` is true. Returns values in PostgreSQL's text format. */
  rows(text: string, values: readonly unknown[], isAdHoc = false): Promise<(string | null)[][]> {
    const send = () => this.#send(text, values, isAdHoc);
    // The loader of a batch already caches the results of statements with a list of ids.
    return values.some(Array.isArray) ? send() : this.state.once(`${text} ${JSON.stringify(values)}`, send);
  }

  #send(text: string, values: readonly unknown[], isAdHoc = false): Promise<(string | null)[][]> {
    this.state.budget.chargeStatement();
    return runStatement(this.connection, text, values, isAdHoc);
  }

  #load(entity: EntityClass<object>, property: string, id: string, most?: RowLimit): MaybePromise<EntityRow[]> {
    const load = () => this.#loaderOf(entity, property, most).load(id);
    return this.state.listOf(most || !this.state.known ? load() : this.state.known.load(entity, property, id, load));
  }

  #loaderOf(entity: EntityClass<object>, property: string, most?: RowLimit): BatchLoader<EntityRow[]> {
    const name = `${entity.name}.${property}.${most ? `${most.count} ${most.where}` : ''}`;
    return this.state.loader(name, async (ids) => {
      const groups = new Map(ids.map((id): [string, EntityRow[]] => [id, []]));
      const statement = (table: EntityTable) => batchStatement(table, property, most);
      const rows = await this.#read(entity, statement, [ids.map(decodeId), this.maxRows]);
      for (const row of rows) groups.get(row[property] as string)?.push(row);
      return [...groups.values()];
    });
  }

  /** Returns the parameter for `ofTenant`, which isolates workspaces in addition to row level security. */
  #tenantOf({ tenantColumn }: EntityTable): unknown[] {
    return tenantColumn ? [this.#tenantId()] : [];
  }

  #tenantId(): string | null | undefined {
    return this.tenantId === undefined ? null : decodeId(this.tenantId);
  }

  async #read(
    entity: EntityClass<object>,
    statement: (table: EntityTable) => string,
    values: readonly unknown[],
    isAdHoc = false,
  ): Promise<EntityRow[]> {
    // Must precede `#send`: while the SQL statement runs, `tables` may select other columns.
    const table = this.tables.of(entity);
    const text = statement(table); // `statement` may append parameters to `values`, which the next line reads.
    return this.#decode(entity, table, await this.#send(text, [...values, ...this.#tenantOf(table)], isAdHoc));
  }

  #decode(entity: EntityClass<object>, table: EntityTable, texts: (string | null)[][]): EntityRow[] {
    this.state.budget.chargeRead(texts);
    return this.state.rows.add(entity.name, texts.map(table.decode));
  }

  /** Reads a list together with the rows of `followed`. Returns undefined if `followed` does not apply to the list. */
  async #readFollowed(
    entity: EntityClass<object>,
    statement: (table: EntityTable) => string,
    values: readonly unknown[],
  ): Promise<EntityRow[] | undefined> {
    if (this.followed?.from !== entity.name) return undefined;
    const table = this.tables.of(entity);
    const levels = levelTables(table, this.followed.levels, this.tables);
    if (levels.length === 0) return undefined;
    const list = statement(table); // `statement` may append parameters to `values`, which the next line reads.
    const own = [...values, ...this.#tenantOf(table)];
    const text = followedStatement(table, list, levels, own, this.maxRows, this.#tenantId());
    const [texts = []] = await this.#send(text, own);
    return readLevels(this.state, entity.name, table, levels, texts, (level) => this.#loaderOf(level.entity, level.by));
  }
}
