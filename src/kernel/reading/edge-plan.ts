import type { EntityClass } from '@mikro-orm/core';

/** How the rows of a field are loaded for several objects together. */
export type EdgePlan =
  | {
      readonly kind: 'row';
      /** Property with the id of the row. */
      readonly by: string;
      readonly to: EntityClass<object>;
      /** Whether the field is null if the row is soft-deleted. Other fields return the deleted row. */
      readonly isNullable: boolean;
    }
  | { readonly kind: 'list'; readonly of: EntityClass<object>; readonly by: string }
  | {
      /**
       * Rows that belong to a different object. A property in `owners` refers to that object; without such a reference,
       * the field is null.
       */
      readonly kind: 'listOfOther';
      readonly of: () => EntityClass<object>;
      readonly by: string;
      /** Properties with the id of the other object; the first property that is not null counts. */
      readonly owners: readonly string[];
      readonly isNullIfEmpty: boolean;
    }
  | {
      /** The rows below an object in a tree that is read as a whole. */
      readonly kind: 'branch';
      readonly of: () => EntityClass<object>;
      /**
       * `by`: property of the rows that refers to the owner of the tree. `owner`: property of the object with the
       * owner's id.
       */
      readonly by: string;
      readonly owner: string;
      /**
       * `part`: property of the rows that refers to their parent. `parent`: property of the object with the parent's
       * id; null for the top rows.
       */
      readonly part: string;
      readonly parent: string | null;
    };
