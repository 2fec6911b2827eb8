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
 * Lean, batched reads. A row is a plain object with the entity's property names; relations hold the id, times are ISO
 * strings. Statements are written once from the entity metadata and prepared by PostgreSQL, and all reads of one
 * request that ask for the same thing by different keys become one statement. Entities are for writing.
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

/** An answer that may be known already. */
export type MaybePromise<Value> = Value | Promise<Value>;

const RAW = { getTypeParser: () => (text: string) => text };

/** Every statement on it runs in a transaction of its own under the scope. */
export function scopedConnection(pool: Pool, scope: Scope): QueryConnection {
  return { query: (statement) => pool.query(new ScopedQuery(statement, scope) as never) as never };
}

/** Reads of one kind: what is known already, and the loader that asks for the rest in batches. */
interface Batch {
  readonly known: Map<string, EntityRow[]>;
  readonly loader: DataLoader<string, EntityRow[]>;
}

/** The reads of one request. What it has read already is answered at once, without a promise. */
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
    /** Whose rows are read of tables that belong to workspaces. Without one there are none. */
    private readonly tenantId?: string,
  ) {}

  /** After a change: what was read before may be out of date. */
  clear(): void {
    this.#batches.clear();
    this.#rowsById.clear();
  }

  /** One row, or undefined. */
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

  /** The rows whose relation `property` points at `id`, in the entity's order. */
  many<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    id: string,
  ): MaybePromise<Lean<Entity>[]> {
    return this.#load(entity, property, id) as MaybePromise<Lean<Entity>[]>;
  }

  /** The first `count` rows of `many`, of however many there are; where there is a condition, which names columns, of those that meet it. */
  latest<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    id: string,
    count: number,
    where = 'true',
  ): MaybePromise<Lean<Entity>[]> {
    return this.#load(entity, property, id, { most: { count, where } }) as MaybePromise<Lean<Entity>[]>;
  }

  /** Those rows of `many` whose `part` is `value`, sorted out once: the branches of a tree that is read whole. */
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

  /** Rows by a condition of the caller, in the entity's order. `where` names columns; values only as `$1`, `$2`. */
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

  /** All rows by a condition, in the entity's order. More than `most` are a BAD_REQUEST, since a list that is cut would look complete. */
  async all<Entity extends object>(
    entity: EntityClass<Entity>,
    { where, offset, most }: { where: string; offset: number; most: number },
    values: readonly unknown[] = [],
  ): Promise<Lean<Entity>[]> {
    const rows = await this.select(entity, { where, limit: most + 1, offset }, values);
    if (rows.length > most)
      throw new AppError('BAD_REQUEST', `The list has more than ${most} items; ask for pages with limit and offset.`);
    this.#budget.raiseFor(rows.length);
    return rows;
  }

  /**
   * The first row of `many` for each row that `wanted` finds, in its order: a statement of the caller's own with the columns `id`, `place`
   * to order by, and `note`, a text that comes back beside the row. It names the workspace itself. `where` may compare columns of both.
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
    const rows = this.#keep(table, found) as Lean<Entity>[];
    return rows.map((row, at) => ({ row, note: found[at]?.at(-1) as string }));
  }

  /** The ids of what `firstOfEach` finds, in its order, however many; nothing else of the rows is read. */
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

  /** A statement of the caller's own, where no other method fits: each value as PostgreSQL writes it. */
  rows(text: string, values: readonly unknown[]): Promise<(string | null)[][]> {
    this.#budget.chargeStatement();
    return this.#query(text, values);
  }

  /** `cost` of each row that is known already; those that are read are charged then. `most` rows of each id. */
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
    // A batch waits until nothing else can run, so that branches of a tree found at different depths join it too.
    return { known, loader: new DataLoader(load, { batchScheduleFn: (dispatch) => this.#pacer.whenIdle(dispatch) }) };
  }

  /** The first wall between workspaces; row level security is the second. */
  #tenantOf({ tenantColumn }: EntityTable): unknown[] {
    return tenantColumn ? [this.tenantId === undefined ? null : decodeId(this.tenantId)] : [];
  }

  async #rows(table: EntityTable, text: string, values: readonly unknown[]): Promise<EntityRow[]> {
    return this.#keep(table, await this.rows(text, values));
  }

  /** Rows as PostgreSQL writes them, which are known from now on. */
  #keep({ decode }: EntityTable, rows: (string | null)[][]): EntityRow[] {
    this.#budget.chargeRead(rows);
    return rows.map((values) => {
      const row = decode(values);
      this.#rowsById.set(row.id as string, row);
      return row;
    });
  }

  async #query(text: string, values: readonly unknown[]): Promise<(string | null)[][]> {
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
      throw new AppError('BAD_REQUEST', 'A text may not hold a NUL character.');
    }
    const statement = { name: statementName(text), text, values: [...values], rowMode: 'array' as const, types: RAW };
    try {
      return (await this.connection.query(statement)).rows;
    } catch (error) {
      // What PostgreSQL itself refuses has a class of its own; all else is a connection that is lost or not to be had.
      throw toDatabaseError(error);
    }
  }
}

/** PostgreSQL cuts names at 63 bytes; texts come from code alone, so there are few. */
const statementNames = new Map<string, string>();
function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) statementNames.set(text, (name = createHash('sha256').update(text).digest('base64url').slice(0, 32)));
  return name;
}
