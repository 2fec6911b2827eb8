import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
} from 'graphql';
import { type Bounds, findBoundsFault } from '../entities/field-limits.js';
import { listedPropertiesOf } from '../entities/listed.js';
import { DateTime } from '../entities/scalars.js';
import { AppError } from '../errors.js';
import { Base62Id, IdColumn } from '../ids.js';
import type { Condition, FilterKind, ListOrder } from './list-selection.js';
import { MAX_PAGE_SIZE } from './paging.js';

type Arguments = Record<string, unknown>;

/** Maximum number of values of one filter. */
const MAX_VALUES = 100;

const BOUNDS: Readonly<Record<string, Bounds>> = {
  limit: { minimum: 1, maximum: MAX_PAGE_SIZE },
  offset: { minimum: 0 },
  values: { maxItems: MAX_VALUES, maxLength: 200 },
  text: { maxLength: 100 },
};

const TimeRange = new GraphQLInputObjectType({
  name: 'TimeRange',
  description: 'A range of time. A bound that is null or omitted does not limit the range.',
  fields: {
    from: { type: DateTime, description: 'Start of the range, inclusive.' },
    until: { type: DateTime, description: 'End of the range, exclusive.' },
  },
});

const NO_CONDITIONS: readonly Condition[] = [];

interface Filter {
  readonly property: string;
  readonly kind: FilterKind;
  readonly conditionOf?: Condition['conditionOf'];
}

export class ListArguments {
  readonly #filters = new Map<string, Filter>();
  readonly #orders = new Map<string, ListOrder>();
  readonly #filterType: GraphQLInputObjectType | undefined;
  readonly #orderType: GraphQLEnumType | undefined;

  constructor(schema: GraphQLSchema, entity: EntityMetadata) {
    const { filters = [], computed = {}, exact = [], orders = [] } = listedPropertiesOf(entity.class) ?? {};
    const type = schema.getType(entity.className) as GraphQLObjectType;
    const fields = [
      ...filters.map((name) => this.#describeFilter(type, propertyOf(entity, name), exact.includes(name))),
      ...Object.entries(computed).map(([name, conditionOf]) => this.#describeComputed(type, name, conditionOf)),
    ];
    if (fields.length)
      this.#filterType = new GraphQLInputObjectType({
        name: `${entity.className}Filter`,
        description: 'Conditions that all items of the list meet.',
        fields: Object.fromEntries(fields),
      });
    if (orders.length)
      this.#orderType = new GraphQLEnumType({
        name: `${entity.className}Order`,
        description: 'Order of a list. Items with the same value are ordered by id. Null comes last.',
        values: Object.fromEntries(orders.flatMap((name) => this.#describeOrders(propertyOf(entity, name)))),
      });
  }

  /** GraphQL arguments of a list's total, which needs no order. */
  get filter(): GraphQLFieldConfigArgumentMap {
    return this.#filterType
      ? { filter: { type: this.#filterType, description: 'Conditions that the items must meet.' } }
      : {};
  }

  get filterAndOrder(): GraphQLFieldConfigArgumentMap {
    const description = 'Order of the items. Defaults to the order in the description of the list.';
    return { ...this.filter, ...(this.#orderType && { orderBy: { type: this.#orderType, description } }) };
  }

  /** Throws BAD_REQUEST for too many or too long values. */
  conditionsOf({ filter }: Arguments): readonly Condition[] {
    if (!filter) return NO_CONDITIONS;
    return Object.entries(filter).flatMap(([name, value]) => {
      if (value === null || value === undefined) return [];
      const filter = this.#filters.get(name) as Filter;
      checkBounds(`filter.${name}`, value, filter.kind === 'text' ? 'text' : 'values');
      return [{ ...filter, value }];
    });
  }

  orderOf({ orderBy }: Arguments): ListOrder | undefined {
    return this.#orders.get(orderBy as string);
  }

  #describeOrders({ name, nullable }: EntityProperty): [string, { description: string }][] {
    const base = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    return (['asc', 'desc'] as const).map((direction) => {
      const value = `${base}_${direction.toUpperCase()}`;
      this.#orders.set(value, { property: name, direction, isNullable: nullable === true });
      return [value, { description: `By \`${name}\`, ${direction}ending.` }];
    });
  }

  #describeComputed(type: GraphQLObjectType, name: string, conditionOf: Condition['conditionOf']) {
    const named = getNamedType(type.getFields()[name]?.type as GraphQLOutputType);
    const kind = named instanceof GraphQLEnumType ? 'values' : 'text';
    this.#filters.set(name, { property: name, kind, conditionOf });
    return [name, describeFilter(kind, named as GraphQLEnumType)] as const;
  }

  #describeFilter(type: GraphQLObjectType, property: EntityProperty, isExact: boolean) {
    const kind = filterKindOf(property, isExact);
    const isRelation = property.targetMeta !== undefined;
    const name = isRelation ? `${property.name}Id` : property.name;
    this.#filters.set(name, { property: property.name, kind });
    const subject = type.getFields()[property.name];
    const enumeration = subject && getNamedType(subject.type);
    return [name, describeFilter(kind, enumeration instanceof GraphQLEnumType ? enumeration : GraphQLString)] as const;
  }
}

export const PAGE_ARGUMENTS: GraphQLFieldConfigArgumentMap = {
  limit: {
    type: GraphQLInt,
    description:
      'Maximum number of items, 1 to 250. If omitted, the default in the description of the list applies. Without such a default, the list contains all items.',
  },
  offset: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 0, description: 'Number of items to skip.' },
};

/** Throws BAD_REQUEST for a `limit` or `offset` outside its bounds. */
export function checkPage({ limit, offset }: Arguments): void {
  if (limit !== null && limit !== undefined) checkBounds('limit', limit, 'limit');
  checkBounds('offset', offset, 'offset');
}

function checkBounds(name: string, value: unknown, kind: string): void {
  const fault = findBoundsFault(value, BOUNDS[kind] as Bounds);
  if (fault) throw new AppError('BAD_REQUEST', `${name} ${fault}.`);
}

function propertyOf(entity: EntityMetadata, name: string): EntityProperty {
  const property = entity.props.find((one) => one.name === name);
  if (!property) throw new Error(`${entity.className} has no property ${name}`);
  return property;
}

function filterKindOf({ customType, targetMeta, type, items }: EntityProperty, isExact: boolean): FilterKind {
  if (targetMeta || customType instanceof IdColumn) return 'ids';
  if (type === 'boolean') return 'flag';
  if (type === 'datetime') return 'time';
  return items || isExact ? 'values' : 'text';
}

function describeFilter(kind: FilterKind, named: GraphQLEnumType | typeof GraphQLString) {
  const described = (type: GraphQLInputType, description: string) => ({ type, description });
  const listOf = (type: GraphQLEnumType | typeof GraphQLString) => new GraphQLList(new GraphQLNonNull(type));
  if (kind === 'ids') return described(listOf(Base62Id as never), `Matches any of these ids (up to ${MAX_VALUES}).`);
  if (kind === 'values') return described(listOf(named), `Matches any of these values (up to ${MAX_VALUES}).`);
  if (kind === 'text')
    return described(
      GraphQLString,
      'Matches strings that contain this text. Ignores case, and does not support wildcards.',
    );
  return kind === 'flag'
    ? described(GraphQLBoolean, 'Matches this value.')
    : described(TimeRange, 'Matches values in this range.');
}
