import type { EntityClass } from '@mikro-orm/core';
import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { Limits } from '../entities/field-limits.js';
import type { Lean, Reader } from './reader.js';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 250;

/** Number of latest history entries returned with an object. */
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

/** Paging arguments of a list that is returned completely by default. */
@ArgsType()
export abstract class OptionalPageArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of items on the page, 1 to 250; null or omitted: all items.',
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
      'Returns only items whose name, slug or description contains this text. Case-insensitive; no wildcards.',
  })
  @Limits({ maxLength: 100 })
  search?: string;
}

export interface PageOf<Item> {
  items: Lean<Item>[];
  limit: number;
  offset: number;
  total: number;
}

/** The GraphQL type of one page of `Item`. */
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
  return Page;
}

const SEARCHED_COLUMNS = ['name', 'slug', 'description'];

/** Reads one page in the entity's order and counts the whole list, in two statements. */
export async function readPage<Item extends object>(
  read: Reader,
  entity: EntityClass<Item>,
  { limit, offset, search }: SearchArgs,
): Promise<PageOf<Item>> {
  const where = search
    ? SEARCHED_COLUMNS.map((column) => `strpos(lower(${column}), lower($1)) > 0`).join(' or ')
    : 'true';
  const values = search ? [search] : [];
  const [items, total] = await Promise.all([
    read.select(entity, { where, limit, offset }, values),
    read.count(entity, where, values),
  ]);
  return { items, limit, offset, total };
}
