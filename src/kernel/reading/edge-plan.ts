import type { EntityClass } from '@mikro-orm/core';

export type EdgePlan =
  | {
      readonly kind: 'row';
      /** Property of the object that contains the id of the row. */
      readonly by: string;
      readonly to: EntityClass<object>;
      /** If true, the field is null for a soft-deleted row. Otherwise, the field returns the deleted row. */
      readonly isNullable: boolean;
    }
  | { readonly kind: 'list'; readonly of: EntityClass<object>; readonly by: string }
  | {
      /**
       * Rows that belong to another object. One of the `owners` properties refers to that object. If all of these
       * properties are null, the field is null.
       */
      readonly kind: 'listOfOther';
      readonly of: () => EntityClass<object>;
      readonly by: string;
      /** Properties that contain the id of the owning object. The first property that is not null applies. */
      readonly owners: readonly string[];
      readonly isNullIfEmpty: boolean;
    }
  | {
      /** Rows below an object in a tree. One statement reads the whole tree. */
      readonly kind: 'branch';
      readonly of: () => EntityClass<object>;
      /**
       * `by` is the property of the rows that refers to the owner of the tree. `owner` is the property of the object
       * that contains the owner's id.
       */
      readonly by: string;
      readonly owner: string;
      /**
       * `part` is the property of the rows that refers to their parent. `parent` is the property of the object that
       * contains the parent's id. The parent of top rows is null.
       */
      readonly part: string;
      readonly parent: string | null;
    };
