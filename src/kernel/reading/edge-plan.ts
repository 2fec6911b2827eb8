import type { EntityClass } from '@mikro-orm/core';

export type EdgePlan =
  | {
      readonly kind: 'row';
      /** The object's property that contains the id of the row. */
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
      /** Child rows of an object in a tree. One statement reads the whole tree. */
      readonly kind: 'branch';
      readonly of: () => EntityClass<object>;
      /** The rows' property that contains the id of the owner of the tree. */
      readonly by: string;
      /** The object's property that contains the id of the owner of the tree. */
      readonly owner: string;
      /** The rows' property that contains the id of their parent. */
      readonly part: string;
      /**
       * The object's property whose value the returned rows have in `part`. If `parent` is null, the field returns the
       * top rows of the tree.
       */
      readonly parent: string | null;
    };
