import type { EntityClass } from '@mikro-orm/core';

// biome-ignore lint/suspicious/noExplicitAny: rows of any entity
type Row = any;

/** A GraphQL field of an object. The field lists the rows of another entity that belong to the object. */
export interface ListEdge<Rule extends string = string> {
  /** Entity whose GraphQL type has the field. */
  readonly on: EntityClass<object>;
  readonly name: string;
  readonly of: EntityClass<object>;
  /** Property of the listed rows that contains the id of the object. */
  readonly by?: string;
  /** SQL condition in place of `by`. `wanted.id` is the id of the object. */
  readonly match?: string;
  /** SQL condition for the listed rows. The list never contains deleted rows. */
  readonly where?: string;
  /** Default limit of the list. If undefined, the list contains all rows. */
  readonly most?: number;
  readonly access?: Rule;
  readonly description?: string;
  /** Adds computed properties to a row before the API returns it. */
  readonly present?: (row: Row, object: Row) => object;
}

/** A GraphQL field that returns the row to which an id column refers. Relations need no such declaration. */
export interface RowEdge<Rule extends string = string> {
  /** Entity whose GraphQL type has the field. */
  readonly on: EntityClass<object>;
  readonly name: string;
  readonly to: EntityClass<object>;
  /** Property that contains the id of the returned row. */
  readonly by: string;
  readonly access?: Rule;
  readonly description: string;
}
