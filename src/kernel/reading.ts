import { createHash } from 'node:crypto';
import type { Collection, EntityClass, EntityMetadata, EntityProperty, MetadataStorage } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import { DatabaseError, type QueryConfig } from 'pg';
import { AppError, DatabaseAway } from './errors.js';
import { decodeId, encodeId, IdColumn } from './ids.js';

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

/** A pool, or the connection of a transaction. */
export interface Connection {
  query(statement: QueryConfig & { rowMode: 'array' }): Promise<{ rows: (string | null)[][] }>;
}

/** Rows that one request may be handed, again or not, so that a nested question ends with an error, not an outage. */
const ROW_BUDGET = 50_000;

/** What a statement counts for beside its rows. */
const STATEMENT_COST = 50;

type Decode = (text: string) => unknown;
type Row = Record<string, unknown>;
/** An answer that may be known already. */
export type MaybePromise<Value> = Value | Promise<Value>;

const RAW = { getTypeParser: () => (text: string) => text };

interface Table {
  readonly name: string;
  readonly select: string;
  readonly orderBy: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly decode: (values: (string | null)[]) => Row;
}

export class Tables {
  readonly #tables = new Map<string, Table>();

  constructor(metadata: MetadataStorage) {
    for (const entity of metadata.getAll().values()) {
      if (!entity.abstract) this.#tables.set(entity.className, describeTable(entity));
    }
  }

  of(entity: EntityClass<object>): Table {
    return this.#tables.get(entity.name) as Table;
  }
}

/** Reads of one kind: what is known already, and the loader that asks for the rest in batches. */
interface Batch {
  readonly known: Map<string, Row[]>;
  readonly loader: DataLoader<string, Row[]>;
}

/** The reads of one request. What it has read already is answered at once, without a promise. */
export class Reader {
  readonly #batches = new Map<string, Batch>();
  /** Ids are unique across tables. */
  readonly #rowsById = new Map<string, Row>();
  readonly #branches = new WeakMap<readonly Row[], Map<string | null, Row[]>>();
  #budget = ROW_BUDGET;

  constructor(
    private readonly tables: Tables,
    private readonly connection: Connection,
  ) {}

  /** One row, or undefined. */
  byId<Entity extends object>(entity: EntityClass<Entity>, id: string): MaybePromise<Lean<Entity> | undefined> {
    const row = this.#rowsById.get(id);
    if (row) {
      this.#charge(1);
      return row as Lean<Entity>;
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

  /** Those rows of `many` whose `part` is `value`, sorted out once: the branches of a tree that is read whole. */
  within<Entity extends object>(
    entity: EntityClass<Entity>,
    property: keyof Lean<Entity> & string,
    id: string,
    part: keyof Lean<Entity> & string,
    value: string | null,
  ): MaybePromise<Lean<Entity>[]> {
    const pick = (rows: readonly Row[]): Lean<Entity>[] => {
      let branches = this.#branches.get(rows);
      if (!branches) this.#branches.set(rows, (branches = Map.groupBy(rows, (row) => row[part] as string | null)));
      const branch = branches.get(value) ?? [];
      this.#charge(branch.length);
      return branch as Lean<Entity>[];
    };
    const rows = this.#load(entity, property, id, 0);
    return rows instanceof Promise ? rows.then(pick) : pick(rows);
  }

  /** Rows by a condition of the caller, in the entity's order. `where` names columns; values only as `$1`, `$2`. */
  async select<Entity extends object>(
    entity: EntityClass<Entity>,
    { where = '', limit, offset = 0 }: { where?: string; limit: number; offset?: number },
    values: unknown[] = [],
  ): Promise<Lean<Entity>[]> {
    const { select, orderBy } = this.tables.of(entity);
    const paging = `limit $${values.length + 1} offset $${values.length + 2}`;
    const rows = await this.#rows(entity, `${select} ${where} ${orderBy} ${paging}`, [...values, limit, offset]);
    return rows as Lean<Entity>[];
  }

  async count(entity: EntityClass<object>, where = '', values: unknown[] = []): Promise<number> {
    const text = `select count(*) from "${this.tables.of(entity).name}" ${where}`;
    this.#charge(STATEMENT_COST);
    const rows = await this.#query(text, values);
    return Number(rows[0]?.[0]);
  }

  /** `cost` of each row that is known already; those that are read are charged then. */
  #load(entity: EntityClass<object>, property: string, id: string, cost = 1): MaybePromise<Row[]> {
    const name = `${entity.name}.${property}`;
    let batch = this.#batches.get(name);
    if (!batch) this.#batches.set(name, (batch = this.#newBatch(entity, property)));
    const known = batch.known.get(id);
    if (known) this.#charge(cost * Math.max(1, known.length));
    return known ?? batch.loader.load(id);
  }

  #newBatch(entity: EntityClass<object>, property: string): Batch {
    const { select, orderBy, columns } = this.tables.of(entity);
    const statement = `${select} where "${columns.get(property)}" = any($1::uuid[]) ${orderBy} limit $2`;
    const known = new Map<string, Row[]>();
    const load = async (ids: readonly string[]): Promise<Row[][]> => {
      const groups = ids.map((id): [string, Row[]] => [id, []]);
      const byId = new Map(groups);
      for (const row of await this.#rows(entity, statement, [ids.map(decodeId), this.#budget + 1]))
        byId.get(row[property] as string)?.push(row);
      for (const [id, rows] of groups) known.set(id, rows);
      return groups.map(([, rows]) => rows);
    };
    // A batch waits until nothing else can run, so that branches of a tree found at different depths join it too.
    return { known, loader: new DataLoader(load, { batchScheduleFn: (dispatch) => setImmediate(dispatch) }) };
  }

  async #rows(entity: EntityClass<object>, text: string, values: unknown[]): Promise<Row[]> {
    const { decode } = this.tables.of(entity);
    this.#charge(STATEMENT_COST);
    const rows = await this.#query(text, values);
    this.#charge(rows.length);
    return rows.map((values) => {
      const row = decode(values);
      this.#rowsById.set(row.id as string, row);
      return row;
    });
  }

  #charge(rows: number): void {
    this.#budget -= rows;
    if (this.#budget < 0) throw new AppError('BAD_REQUEST', `The question reaches more than ${ROW_BUDGET} rows.`);
  }

  async #query(text: string, values: unknown[]): Promise<(string | null)[][]> {
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
      throw new AppError('BAD_REQUEST', 'A text may not hold a NUL character.');
    }
    const statement = { name: statementName(text), text, values, rowMode: 'array', types: RAW } as const;
    try {
      return (await this.connection.query(statement)).rows;
    } catch (error) {
      // What PostgreSQL itself refuses has a class of its own; all else is a connection that is lost or not to be had.
      throw error instanceof DatabaseError ? error : new DatabaseAway(error);
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

function describeTable(entity: EntityMetadata): Table {
  const properties = entity.props.filter((property) => property.fieldNames?.length === 1 && property.persist !== false);
  const columns = new Map(properties.map((property) => [property.name as string, property.fieldNames[0] as string]));
  const list = [...columns.values()].map((column) => `"${column}"`).join(', ');
  const order = ([entity.orderBy ?? []].flat() as Record<string, string>[])
    .flatMap(Object.entries)
    .map(([property, direction]) => `"${columns.get(property)}" ${direction}`);
  return {
    name: entity.tableName,
    select: `select ${list} from "${entity.tableName}"`,
    orderBy: order.length ? `order by ${order.join(', ')}` : '',
    columns,
    decode: rowDecoder([...columns.keys()], properties.map(columnDecoder)),
  };
}

/**
 * Compiled into an object literal, because V8 makes one several times faster than an object that grows by key. What is
 * compiled comes from the entity metadata alone.
 */
function rowDecoder(names: string[], decoders: (Decode | undefined)[]): Table['decode'] {
  const fields = names.map((name, i) => {
    const value = decoders[i] ? `values[${i}] === null ? null : decoders[${i}](values[${i}])` : `values[${i}]`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  return new Function('decoders', `return (values) => ({ ${fields.join(', ')} });`)(decoders);
}

function columnDecoder(property: EntityProperty): Decode | undefined {
  const [column] = property.columnTypes;
  if (property.customType instanceof IdColumn || property.kind === 'm:1') return encodeId;
  if (column === 'json') return JSON.parse;
  if (column?.startsWith('int')) return Number;
  if (column?.startsWith('bool')) return (text) => text === 't';
  if (column?.startsWith('timestamptz')) return isoTime;
  return undefined; // text is text
}

/** `2026-01-31 12:00:00.123+00` is cut and joined; anything else, such as a time without milliseconds, is parsed. */
function isoTime(text: string): string {
  const isPlain = text.length === 26 && text.endsWith('+00');
  return isPlain ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z` : new Date(text).toISOString();
}
