import type { EntityClass } from '@mikro-orm/core';
import { type GraphQLField, getNamedType } from 'graphql';
import { ArgsType, type ClassType, createParameterDecorator, Extensions, Field, Int, ObjectType } from 'type-graphql';
import { Limits } from '../entities/field-limits.js';
import { hasComputedCondition, type ListSelection, type SelectedPage, WHOLE_LIST } from './list-selection.js';
import type { Lean, Reader } from './reader.js';
import { countedPageStatement } from './reader-statements.js';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 250;

/** An object includes at most this number of its latest history entries. */
export const HISTORY_LIMIT = 50;

@ArgsType()
export class PageArgs {
  @Field(() => Int, { description: 'Maximum number of items on the page, 1 to 250.', defaultValue: DEFAULT_PAGE_SIZE })
  @Limits({ minimum: 1, maximum: MAX_PAGE_SIZE })
  limit: number;

  @Field(() => Int, { description: 'Number of items to skip.', defaultValue: 0 })
  @Limits({ minimum: 0 })
  offset: number;
}

/** Paging arguments of a list that is complete by default. */
@ArgsType()
export class OptionalPageArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      'Maximum number of items on the page, 1 to 250. If null or omitted, returns all items, or fails if there are too many.',
  })
  @Limits({ minimum: 1, maximum: MAX_PAGE_SIZE })
  limit?: number | null;

  @Field(() => Int, { description: 'Number of items to skip.', defaultValue: 0 })
  @Limits({ minimum: 0 })
  offset: number;
}

@ArgsType()
export class SearchArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'Returns only items whose name, slug or description contains this text. Ignores case, and does not support wildcards.',
  })
  @Limits({ maxLength: 100 })
  search?: string;
}

export interface PageOf<Item> {
  items: Lean<Item>[];
  limit: number;
  offset: number;
  /** Number of rows on all pages. Undefined if the query does not select the total. */
  total: number | undefined;
}

const itemOf = new Map<string, EntityClass<object>>();

/**
 * Adds the filter and the order of an entity to a root field that returns a plain list, or the number of items of a
 * list, instead of a page.
 */
export const ListOf = (entity: EntityClass<object>) => Extensions({ list: entity });

export function listedEntityOf({ type, extensions }: GraphQLField<never, never>): EntityClass<object> | undefined {
  return itemOf.get(getNamedType(type).name) ?? (extensions.list as EntityClass<object> | undefined);
}

/** The decorated parameter of a root resolver receives the filter and the order of the query. */
export function SelectedList(): ParameterDecorator {
  return createParameterDecorator(({ args }) => args.list ?? WHOLE_LIST) as ParameterDecorator;
}

export function createPageType<Item extends object>(item: ClassType<Item>, name: string): ClassType<PageOf<Item>> {
  @ObjectType(name, { simpleResolvers: true, description: 'One page of a list.' })
  class Page {
    @Field(() => [item], { description: 'The items of this page.' })
    items: Lean<Item>[];

    @Field(() => Int, { description: 'Maximum number of items on this page.' })
    limit: number;

    @Field(() => Int, { description: 'Number of items skipped before this page.' })
    offset: number;

    @Field(() => Int, { description: 'Number of items in the whole list.' })
    total: number;
  }
  itemOf.set(name, item);
  return Page;
}

const SEARCHED_COLUMNS = ['name', 'slug', 'description'];

interface PageQuery extends PageArgs {
  readonly search?: string | null;
}

/** `where` is an SQL condition on columns. */
interface Part {
  readonly where?: string;
  readonly values?: readonly unknown[];
}

/**
 * If the query selects the total, also counts the whole list. If PostgreSQL must compute a condition for each row, one
 * statement reads the page and counts the list. Otherwise, a concurrent statement counts the list.
 */
export async function readPage<Item extends object>(
  read: Reader,
  entity: EntityClass<Item>,
  { limit, offset, search }: PageQuery,
  selection: ListSelection,
  { where = 'true', values = [] }: Part = {},
): Promise<PageOf<Item>> {
  const own = search ? [...values, search] : values;
  const contains = (column: string) => `strpos(lower(${column}), lower($${own.length})) > 0`;
  const condition = search ? `(${where}) and (${SEARCHED_COLUMNS.map(contains).join(' or ')})` : where;
  const selected = { where: condition, limit, offset, selection };
  const counted =
    selection.counts && hasComputedCondition(selection) && (await readCounted(read, entity, selected, own));
  if (counted) return { ...counted, limit, offset };
  const [items, total] = await Promise.all([
    read.select(entity, selected, own),
    selection.counts ? read.count(entity, condition, own, selection) : undefined,
  ]);
  return { items, limit, offset, total };
}

/** Returns undefined if the page is empty, because then no row contains the total. */
async function readCounted<Item extends object>(
  read: Reader,
  entity: EntityClass<Item>,
  page: SelectedPage,
  values: readonly unknown[],
): Promise<Pick<PageOf<Item>, 'items' | 'total'> | undefined> {
  const own = [...values];
  const rows = await read.notedRows(entity, (table) => countedPageStatement(table, page, own), own, true);
  if (rows.length === 0) return undefined;
  return { items: rows.map(({ row }) => row as Lean<Item>), total: Number(rows[0]?.note) };
}
