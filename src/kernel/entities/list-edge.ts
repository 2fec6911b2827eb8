import type { EntityClass } from '@mikro-orm/core';

// biome-ignore lint/suspicious/noExplicitAny: rows of any entity
type Row = any;

/** A GraphQL field that lists the rows of an entity that belong to an object. */
export interface ListEdge<Rule extends string = string> {
  /** Entity with the field. */
  readonly on: EntityClass<object>;
  readonly name: string;
  /** Listed entity. */
  readonly of: EntityClass<object>;
  /** Property of the listed entity that holds the id of the object. */
  readonly by?: string;
  /** SQL condition in place of `by`. `wanted.id` is the id of the object. */
  readonly match?: string;
  /** SQL condition for rows that the list shows. Deleted rows are never shown. */
  readonly where?: string;
  /** Number of rows that the list returns by default. Defaults to all. */
  readonly most?: number;
  /** Access rule. */
  readonly access?: Rule;
  readonly description?: string;
  /** Completes a row for the interface. */
  readonly present?: (row: Row, object: Row) => object;
}

/** A GraphQL field that returns the row that an id column refers to. Relations need no such declaration. */
export interface RowEdge<Rule extends string = string> {
  /** Entity with the field. */
  readonly on: EntityClass<object>;
  readonly name: string;
  /** Entity of the row. */
  readonly to: EntityClass<object>;
  /** Property that holds the id. */
  readonly by: string;
  readonly access?: Rule;
  readonly description: string;
}
