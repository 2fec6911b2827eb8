import { createHash } from 'node:crypto';
import type { Collection, EntityClass } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import type { Pool, QueryConfig } from 'pg';
import type { EntityRow, EntityTable, EntityTables } from '../entities/entity-tables.js';
import { AppError, toDatabaseError } from '../errors.js';
import { decodeId, encodeId } from '../ids.js';
import { batchStatement, firstOfEach, ofTenant, type RowLimit } from './reader-statements.js';
import { RowBudget } from './row-budget.js';
import { RowPacer } from './row-pacer.js';
import { type Scope, ScopedQuery } from './scoped-query.js';

/**
 * Lean, batched reads. A row is a plain object with the entity's property names; relations are ids and times are ISO
 * strings. Statements are generated once from the entity metadata and prepared by PostgreSQL. Reads of one request that
 * differ only in their key become one statement. Entities are only for writing.
 */
export type Lean<Entity> = {
  [Key in keyof Entity as NonNullable<Entity[Key]> extends Collection<object> ? never : Key]: Entity[Key] extends
    | { unwrap(): unknown }
    | undefined
    ? string | Extract<Entity[Key], undefined>
    : Entity[Key] extends Date | undefined
      ? string | Extract<Entity[Key], undefined>
      : Entity[Key];
};

/** A pool, the connection of a transaction, or a pool under a scope. */
export interface QueryConnection {
  query(statement: QueryConfig & { rowMode: 'array' }): Promise<{ rows: (string | null)[][] }>;
}

/** A value that may be available synchronously. */
export type MaybePromise<Value> = Value | Promise<Value>;

const RAW = { getTypeParser: () => (text: string) => text };

/** Runs each statement in its own transaction under the scope. */
export function scopedConnection(pool: Pool, scope: Scope): QueryConnection {
  return { query: (statement) => pool.query(new ScopedQuery(statement, scope) as never) as never };
}

/** Reads of one kind: the cached rows, and the loader that batches the rest. */
interface Batch {
  readonly known: Map<string, EntityRow[]>;
  readonly loader: DataLoader<string, EntityRow[]>;
}

/** The reads of one request. Cached rows are returned without a promise. */
export class Reader {
  readonly #batches = new Map<string, Batch>();
  /** Ids are unique across tables. */
  readonly #rowsById = new Map<string, EntityRow>();
  readonly #branches = new WeakMap<readonly EntityRow[], Map<string | null, EntityRow[]>>();
  readonly #budget = new RowBudget();
  readonly #pacer = new RowPacer();

  constructor(
    private readonly tables: EntityTables,
    private readonly connection: QueryConnection,
    /** Workspace whose rows are visible. If undefined, tables of workspaces appear empty. */
    private readonly tenantId?: string,
  ) {}

  /** Clears the cache. Required after writes. */
  clear(): void {
    this.#batches.clear();
    this.#rowsById.clear();
  }

  /** The row, or undefined. */
  byId<Entity extends object>(entity: EntityClass<Entity>, id: string): MaybePromise<Lean<Entity> | undefined> {
    const row = this.#rowsById.get(id);
    if (row) {
      this.#budget.charge(1);
      return this.#pacer.pace(row as Lean<Entity>, 1);
    }
    const rows = this.#load(entity, 'id', id);
    return (rows instanceof Promise ? rows.then(([first]) => first) : rows[0]) as MaybePromise<
      Lean<Entity> | undefined
    >;
  }

  /** The rows whose relation `property` refers to `id`, in the entity's order. */
  many<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    id: string,
  ): MaybePromise<Lean<Entity>[]> {
    return this.#load(entity, property, id) as MaybePromise<Lean<Entity>[]>;
  }

  /** The first `count` rows of `many` that match `where`, an SQL condition on columns. */
  latest<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    id: string,
    count: number,
    where = 'true',
  ): MaybePromise<Lean<Entity>[]> {
    return this.#load(entity, property, id, { most: { count, where } }) as MaybePromise<Lean<Entity>[]>;
  }

  /**
   * The rows of `many` whose `part` is `value`, for traversing a tree that is read as a whole. Groups the rows once.
   */
  branch<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    id: string,
    part: keyof Lean<Entity> & string,
    value: string | null,
  ): MaybePromise<Lean<Entity>[]> {
    const pick = (rows: readonly EntityRow[]): Lean<Entity>[] => {
      let branches = this.#branches.get(rows);
      if (!branches) this.#branches.set(rows, (branches = Map.groupBy(rows, (row) => row[part] as string | null)));
      const branch = branches.get(value) ?? [];
      this.#budget.charge(branch.length);
      return branch as Lean<Entity>[];
    };
    const rows = this.#load(entity, property, id, { cost: 0 });
    return rows instanceof Promise ? rows.then(pick) : pick(rows);
  }

  /** Rows that match `where`, in the entity's order. `where` is SQL on columns, with values only as `$1`, `$2`. */
  async select<Entity extends object>(
    entity: EntityClass<Entity>,
    { where = 'true', limit, offset = 0 }: { where?: string; limit: number; offset?: number },
    values: readonly unknown[] = [],
  ): Promise<Lean<Entity>[]> {
    const table = this.tables.of(entity);
    const own = [...values, limit, offset];
    const paging = `limit $${own.length - 1} offset $${own.length}`;
    const text = `${table.select} where (${where})${ofTenant(table, own)} ${table.orderBy} ${paging}`;
    const rows = (await this.#rows(table, text, [...own, ...this.#tenantOf(table)])) as Lean<Entity>[];
    return this.#pacer.pace(rows, rows.length);
  }

  /**
   * All rows that match a condition, in the entity's order. Throws BAD_REQUEST for more than `most`, because a
   * truncated list would look complete.
   */
  async all<Entity extends object>(
    entity: EntityClass<Entity>,
    { where, offset, most }: { where: string; offset: number; most: number },
    values: readonly unknown[] = [],
  ): Promise<Lean<Entity>[]> {
    const rows = await this.select(entity, { where, limit: most + 1, offset }, values);
    if (rows.length > most)
      throw new AppError(
        'BAD_REQUEST',
        `The list has more than ${most.toLocaleString('en')} items; request pages with limit and offset.`,
      );
    this.#budget.raiseFor(rows.length);
    return rows;
  }

  /**
   * The first row of `many` for each row of the query `wanted`, which has the columns `id`, `place` to order by, and
   * `note`, a text returned with the row. `wanted` must filter by workspace itself. `where` may compare columns of
   * both.
   */
  async firstOfEach<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    wanted: string,
    values: readonly unknown[],
    where = 'true',
  ): Promise<{ row: Lean<Entity>; note: string }[]> {
    const table = this.tables.of(entity);
    const own = [...values, this.#budget.left + 1];
    const text = `select row.*, wanted.note ${firstOfEach(table, property, wanted, own, where)} order by wanted.place limit $${own.length}`;
    const found = await this.rows(text, [...own, ...this.#tenantOf(table)]);
    const rows = this.#decodeRows(table, found) as Lean<Entity>[];
    return rows.map((row, at) => ({ row, note: found[at]?.at(-1) as string }));
  }

  /** The ids of the rows of `firstOfEach`, in its order and without limit, because only ids are read. */
  async idsOfFirst<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    wanted: string,
    values: readonly unknown[],
    where = 'true',
  ): Promise<string[]> {
    const table = this.tables.of(entity);
    const text = `select string_agg(row.id::text, ',' order by wanted.place) ${firstOfEach(table, property, wanted, values, where)}`;
    const [found] = await this.rows(text, [...values, ...this.#tenantOf(table)]);
    return found?.[0]?.split(',').map(encodeId) ?? [];
  }

  async count(entity: EntityClass<object>, where = 'true', values: readonly unknown[] = []): Promise<number> {
    const table = this.tables.of(entity);
    const text = `select count(*) from "${table.name}" where (${where})${ofTenant(table, values)}`;
    const [row] = await this.rows(text, [...values, ...this.#tenantOf(table)]);
    return Number(row?.[0]);
  }

  /** Runs a custom statement. Values are in PostgreSQL's text format. */
  rows(text: string, values: readonly unknown[]): Promise<(string | null)[][]> {
    this.#budget.chargeStatement();
    return this.#query(text, values);
  }

  /** `cost`: charge per cached row; rows that are read are charged when read. `most`: limit per id. */
  #load(
    entity: EntityClass<object>,
    property: string,
    id: string,
    { cost = 1, most }: { cost?: number; most?: RowLimit } = {},
  ): MaybePromise<EntityRow[]> {
    const name = `${entity.name}.${property}.${most ? `${most.count} ${most.where}` : ''}`;
    let batch = this.#batches.get(name);
    if (!batch) this.#batches.set(name, (batch = this.#newBatch(entity, property, most)));
    const known = batch.known.get(id);
    if (known) this.#budget.charge(cost * Math.max(1, known.length));
    const hand = (rows: EntityRow[]): MaybePromise<EntityRow[]> => this.#pacer.pace(rows, Math.max(1, rows.length));
    return known ? hand(known) : batch.loader.load(id).then(hand);
  }

  #newBatch(entity: EntityClass<object>, property: string, most?: RowLimit): Batch {
    const table = this.tables.of(entity);
    const statement = batchStatement(table, property, most);
    const known = new Map<string, EntityRow[]>();
    const load = async (ids: readonly string[]): Promise<EntityRow[][]> => {
      const groups = ids.map((id): [string, EntityRow[]] => [id, []]);
      const byId = new Map(groups);
      const values = [ids.map(decodeId), this.#budget.left + 1, ...this.#tenantOf(table)];
      for (const row of await this.#rows(table, statement, values)) byId.get(row[property] as string)?.push(row);
      for (const [id, rows] of groups) known.set(id, rows);
      return groups.map(([, rows]) => rows);
    };
    // Wait until the request is otherwise idle, so that tree nodes found at different depths join the batch.
    return { known, loader: new DataLoader(load, { batchScheduleFn: (dispatch) => this.#pacer.whenIdle(dispatch) }) };
  }

  /** Isolates workspaces, in addition to row level security. */
  #tenantOf({ tenantColumn }: EntityTable): unknown[] {
    return tenantColumn ? [this.tenantId === undefined ? null : decodeId(this.tenantId)] : [];
  }

  async #rows(table: EntityTable, text: string, values: readonly unknown[]): Promise<EntityRow[]> {
    return this.#decodeRows(table, await this.rows(text, values));
  }

  /** Decodes and caches rows in PostgreSQL's text format. */
  #decodeRows({ decode }: EntityTable, rows: (string | null)[][]): EntityRow[] {
    this.#budget.chargeRead(rows);
    return rows.map((values) => {
      const row = decode(values);
      this.#rowsById.set(row.id as string, row);
      return row;
    });
  }

  async #query(text: string, values: readonly unknown[]): Promise<(string | null)[][]> {
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
      throw new AppError('BAD_REQUEST', 'Text must not contain NUL characters.');
    }
    const statement = { name: statementName(text), text, values: [...values], rowMode: 'array' as const, types: RAW };
    try {
      return (await this.connection.query(statement)).rows;
    } catch (error) {
      // Errors other than `DatabaseError` mean that the connection was lost or refused.
      throw toDatabaseError(error);
    }
  }
}

/** Hashed, because PostgreSQL truncates names at 63 bytes. Statements come only from code, so the map stays small. */
const statementNames = new Map<string, string>();
function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) statementNames.set(text, (name = createHash('sha256').update(text).digest('base64url').slice(0, 32)));
  return name;
}
