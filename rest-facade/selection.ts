import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Operation } from './operations.js';

export interface SelectedField {
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  /**
   * True if the operation document gives the field `@include(if: false)`. GraphQL then does not resolve the field, and
   * the REST response contains an empty list.
   */
  readonly empty: boolean;
  /** Present only for objects and lists of objects. */
  readonly selection?: Selection;
}

export interface Selection {
  readonly type: GraphQLObjectType;
  readonly fields: readonly SelectedField[];
}

/** Returns whether a response contains `null` for a field without a value. Otherwise the response omits the field. */
export function showsNull({ extensions }: SelectedField['field']): boolean {
  return extensions.showsNull === true;
}

/**
 * A REST request fails if the caller may not read one of the selected fields. A field that is null only for denied
 * access therefore has a value in every response.
 */
export function alwaysHasValue({ type, extensions }: SelectedField['field']): boolean {
  return isNonNullType(type) || extensions.nullIfDenied === true;
}

/** Returns the root field `data` with its whole selection. */
export function rootFieldOf(schema: GraphQLSchema, { document, definition }: Operation): SelectedField {
  const type = schema.getRootType(definition.operation) as GraphQLObjectType;
  return describe(type, definition.selectionSet, fragmentsOf(document)).fields[0] as SelectedField;
}

/** Faster than `rootFieldOf`, because it ignores the selection below the root field. */
export function rootFieldDefinitionOf(
  schema: GraphQLSchema,
  { document, definition }: Operation,
): SelectedField['field'] {
  const type = schema.getRootType(definition.operation) as GraphQLObjectType;
  const [node] = flatten(definition.selectionSet, fragmentsOf(document));
  return type.getFields()[(node as FieldNode).name.value] as SelectedField['field'];
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

function describe(type: GraphQLObjectType, set: SelectionSetNode, fragments: Fragments): Selection {
  const fields = flatten(set, fragments).map((node): SelectedField => {
    const field = type.getFields()[node.name.value] as GraphQLField<unknown, unknown>;
    const named = getNamedType(field.type);
    const below = isObjectType(named) && node.selectionSet ? describe(named, node.selectionSet, fragments) : undefined;
    const key = node.alias?.value ?? node.name.value;
    return { key, field, empty: isLeftOut(node), ...(below && { selection: below }) };
  });
  return { type, fields };
}

function flatten(set: SelectionSetNode, fragments: Fragments): FieldNode[] {
  return set.selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    if (node.kind === Kind.INLINE_FRAGMENT) return flatten(node.selectionSet, fragments);
    return flatten((fragments.get(node.name.value) as FragmentDefinitionNode).selectionSet, fragments);
  });
}

function isLeftOut({ directives = [] }: FieldNode): boolean {
  const condition = directives.find(({ name }) => name.value === 'include')?.arguments?.[0]?.value;
  return condition?.kind === Kind.BOOLEAN && !condition.value;
}
