import type { EntityClass } from '@mikro-orm/core';
import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { Limits } from '../entities/field-limits.js';
import type { Lean, Reader } from './reader.js';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 250;

/** Entries of a history that are shown along with what it is about, the latest ones. */
export const HISTORY_LIMIT = 50;

@ArgsType()
export class PageArgs {
  @Field(() => Int, { description: 'Items on a page, 1 to 250.', defaultValue: DEFAULT_PAGE_SIZE })
  @Limits({ minimum: 1, maximum: MAX_PAGE_SIZE })
  limit: number;

  @Field(() => Int, { description: 'Items to skip.', defaultValue: 0 })
  @Limits({ minimum: 0 })
  offset: number;
}

/** Of a list that is complete unless pages are asked for. */
@ArgsType()
export abstract class OptionalPageArgs {
  @Field(() => Int, { nullable: true, description: 'Items on a page, 1 to 250; all where left out.' })
  @Limits({ minimum: 1, maximum: MAX_PAGE_SIZE })
  limit?: number | null;

  @Field(() => Int, { description: 'Items to skip.', defaultValue: 0 })
  @Limits({ minimum: 0 })
  offset: number;
}

@ArgsType()
export class SearchArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'Only items whose name, slug or description contains this text; case does not matter, every character means itself.',
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

    @Field(() => Int, { description: 'Most items on this page.' })
    limit: number;

    @Field(() => Int, { description: 'Items skipped before this page.' })
    offset: number;

    @Field(() => Int, { description: 'Items in the whole list.' })
    total: number;
  }
  return Page;
}

const SEARCHED_COLUMNS = ['name', 'slug', 'description'];

/** Reads one page in the entity's order, and counts the list, in two statements. */
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
