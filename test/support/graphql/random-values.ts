import { createHash } from 'node:crypto';
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { EntityTable } from '../../../src/kernel/entities/entity-table.js';
import type { Tables } from '../../../src/kernel/entities/entity-tables.js';
import { AppError } from '../../../src/kernel/errors.js';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import type { EdgePlan } from '../../../src/kernel/reading/edge-plan.js';
import { Reader } from '../../../src/kernel/reading/reader.js';
import type { AccessContext } from '../../../src/tenancy/access.js';

type Source = Record<string, unknown>;

/**
 * Property of a generated object that contains its type and id. The generator derives all other values of the object
 * from this property.
 */
const SEED = '#seed';

/** If `areOn` is true, values may be errors, and non-null fields may be null. */
export const faults = { areOn: false };

/**
 * A field with an `EdgePlan` keeps its resolver for calls without arguments. In all other calls, the value depends only
 * on the object, the field and its arguments.
 */
export function replaceResolvers(schema: GraphQLSchema): void {
  for (const type of objectTypesOf(schema))
    for (const field of Object.values(type.getFields())) if (field.resolve) replaceResolver(schema, field);
}

export function objectTypesOf(schema: GraphQLSchema): GraphQLObjectType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('__'),
  ) as never;
}

export function planOf({ extensions }: GraphQLField<never, never>): EdgePlan | undefined {
  return extensions.plan as EdgePlan | undefined;
}

function replaceResolver(schema: GraphQLSchema, field: GraphQLField<unknown, AccessContext>): void {
  const { resolve } = field;
  const random = (source: Source | undefined, args: object): unknown => {
    const seed = `${source?.[SEED] ?? 'root'} ${field.name} ${JSON.stringify(Object.entries(args).sort(([one], [other]) => one.localeCompare(other)))}`;
    const fault = numberOf(`${seed} fault`, 40);
    if (faults.areOn && fault === 0) throw new AppError('NOT_FOUND', `None: ${seed}`);
    if (faults.areOn && fault === 1) return Promise.reject(new AppError('NOT_FOUND', `None: ${seed}`));
    const value = randomValue(schema, field.type, seed);
    return numberOf(`${seed} wait`, 2) ? value : Promise.resolve(value);
  };
  field.resolve = (source, args, context, info) =>
    planOf(field as never) && isWhole(args)
      ? resolve?.(source, args, context, info)
      : random(source as Source | undefined, args);
}

function isWhole(args: Record<string, unknown>): boolean {
  return Object.entries(args).every(
    ([name, value]) => value === null || value === undefined || (name === 'offset' && !value),
  );
}

function randomValue(schema: GraphQLSchema, type: GraphQLOutputType, seed: string): unknown {
  if (isNonNullType(type)) {
    const isNull = faults.areOn && numberOf(`${seed} null`, 60) === 0;
    return isNull ? null : presentValue(schema, type.ofType, seed);
  }
  return numberOf(`${seed} null`, 5) === 0 ? [null, undefined][numberOf(seed, 2)] : presentValue(schema, type, seed);
}

function presentValue(schema: GraphQLSchema, type: GraphQLOutputType, seed: string): unknown {
  if (isListType(type))
    return Array.from({ length: numberOf(`${seed} length`, 4) }, (_, at) =>
      randomValue(schema, type.ofType, `${seed} ${at}`),
    );
  if (isObjectType(type)) return objectOf(schema, type, idOf(seed));
  const number = numberOf(seed, 1_000);
  if (isEnumType(type)) return type.getValues()[number % type.getValues().length]?.value;
  const { name } = getNamedType(type);
  if (name === 'Boolean') return number % 2 === 0;
  if (name === 'Int' || name === 'SafeInt' || name === 'Float') return number;
  if (name === 'DateTime') return new Date(number * 1e9).toISOString();
  if (name.startsWith('JSON')) return { number };
  return idOf(seed);
}

/** Values of rows in lists, by row id: the id of the list's owner, and the id of the parent row. */
const known = new Map<string, Source>();

function objectOf(schema: GraphQLSchema, type: GraphQLObjectType, id: string): Source {
  const fields = type.getFields();
  const plans = Object.values(fields).flatMap((field) => planOf(field as never) ?? []);
  const references = new Set(
    plans.map((plan) => (plan.kind === 'row' ? plan.by : plan.kind === 'branch' && plan.owner)),
  );
  const get = (_: unknown, name: string | symbol): unknown => {
    if (name === SEED) return `${type.name} ${id}`;
    if (name === 'id') return id;
    const given = known.get(id);
    if (given && Object.hasOwn(given, name)) return given[name as string];
    if (typeof name === 'symbol') return undefined;
    const seed = `${type.name} ${id} ${name}`;
    if (name === 'deletedAt') return numberOf(seed, 8) ? undefined : new Date(0).toISOString();
    const field = fields[name];
    if (references.has(name)) {
      const isNullable = plans.some((plan) => plan.kind === 'row' && plan.by === name && plan.isNullable);
      return isNullable && numberOf(seed, 3) === 0 ? null : idOf(String(numberOf(seed, 50)));
    }
    return field && randomValue(schema, field.type, seed);
  };
  return new Proxy<Source>({}, { get });
}

/** Reads from a simulated database that has a row for each id. If `faults` are on, some rows are missing. */
export function randomReader(schema: GraphQLSchema): Reader {
  return new Reader(new RandomTables(schema), {
    query: async ({ text, values = [] }) => {
      const [, entity = '', property = ''] = /^select (\w+) where "(\w+)" = any/.exec(text) ?? [];
      if (!entity) throw new Error(`unexpected statement: ${text}`);
      const ids = (values[0] as string[]).map(encodeId);
      const exists = (id: string) => !faults.areOn || numberOf(id, 40) > 0;
      const rows = property === 'id' ? ids.filter(exists) : ids.flatMap((owner) => rowsBelow(entity, property, owner));
      return { rows: rows.map((id) => [decodeId(id) as string]) };
    },
  });
}

function rowsBelow(entity: string, property: string, owner: string): string[] {
  const count = numberOf(`${entity} ${property} ${owner}`, 6);
  const ids = Array.from({ length: count }, (_, at) => idOf(`${entity} ${property} ${owner} ${at}`));
  for (const [at, id] of ids.entries())
    known.set(id, { [property]: owner, parent: at > 1 ? ids[numberOf(id, at)] : null });
  return ids;
}

class RandomTables implements Tables {
  constructor(private readonly schema: GraphQLSchema) {}

  of({ name }: { readonly name: string }): EntityTable {
    const type = this.schema.getType(name) as GraphQLObjectType;
    const table: EntityTable = {
      ...{ name, select: `select ${name}`, orderBy: '', tenantColumn: undefined, only: () => table },
      ...{ names: [], arrays: undefined, decodeAt: () => ({}) },
      columns: { get: (property: string) => property, has: () => true } as never,
      decode: ([uuid]) => objectOf(this.schema, type, encodeId(uuid as string)),
    };
    return table;
  }
}

function numberOf(seed: string, below: number): number {
  return createHash('sha256').update(seed).digest().readUInt32BE() % below;
}

function idOf(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return encodeId(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
}
