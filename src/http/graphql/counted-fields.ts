import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../kernel/reading/paging.js';

/** Assumed number of items of a list without `limit`. The row budget limits the actual number. */
const EXPECTED_ITEMS = 5;

/**
 * Assumed number of items that have the same type as their parent object. In a tree, an object has less than one child
 * on average.
 */
const EXPECTED_CHILDREN = 1;

export type Variables = Readonly<Record<string, unknown>>;

type Count = (variables: Variables) => number;

/** A variable of `@include` or `@skip`. If the variable equals `value`, the directive selects the field. */
interface Condition {
  readonly variable: string;
  readonly value: boolean;
}

export interface CountedField {
  /** Response names from the root to the field. */
  readonly path: string;
  readonly conditions: readonly Condition[];
  /** Number of objects per parent object. */
  readonly count: Count;
  /** Whether the objects of the field are rows. Page objects and objects inside a row cost nothing. */
  readonly isRow: boolean;
  readonly below: readonly CountedField[];
}

/** A field that represents all fields of a selection with the same response name and the same conditions. */
interface Selected {
  readonly node: FieldNode;
  readonly conditions: readonly Condition[];
  readonly below: SelectionSetNode[];
}

/** Expands fragments and omits introspection. The operation must be valid. */
export function countedFields(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): readonly CountedField[] {
  const isFragment = (node: { kind: Kind }): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION;
  const fragments = new Map(definitions.filter(isFragment).map((node) => [node.name.value, node]));
  return fieldsOf(schema.getRootType(operation) as GraphQLObjectType, [selectionSet], []);

  /** If `type` is a page object, `page` is the number of items of each list in the page. */
  function fieldsOf(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    path: readonly string[],
    page?: Count,
  ): CountedField[] {
    return [...selectedIn(sets).values()].flatMap(({ node, conditions, below }) => {
      const field = type.getFields()[node.name.value];
      if (!field) return [];
      const inner = getNamedType(field.type);
      if (!(inner instanceof GraphQLObjectType)) return [];
      const isList = isListType(getNullableType(field.type));
      const place = [...path, (node.alias ?? node.name).value];
      const expected = page ?? (() => expectedItems(field, inner === type));
      const items = limitOf(field, node, expected) ?? expected;
      const ofPage = isList ? undefined : limitOf(field, node, expected);
      const count = isList ? items : () => 1;
      const isRow = inner.extensions.isRow === true;
      return [{ path: place.join('.'), conditions, count, isRow, below: fieldsOf(inner, below, place, ofPage) }];
    });
  }

  function selectedIn(
    sets: readonly SelectionSetNode[],
    outer: readonly Condition[] = [],
    found = new Map<string, Selected>(),
  ): Map<string, Selected> {
    for (const node of sets.flatMap(({ selections }) => selections)) {
      const own = conditionsOf(node);
      if (!own) continue;
      const conditions = [...outer, ...own];
      if (node.kind === Kind.FIELD) {
        const key = JSON.stringify([(node.alias ?? node.name).value, conditions]);
        const selected = found.get(key) ?? { node, conditions, below: [] };
        if (node.selectionSet) selected.below.push(node.selectionSet);
        found.set(key, selected);
      } else {
        const spread = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
        if (spread) selectedIn([spread.selectionSet], conditions, found);
      }
    }
    return found;
  }
}

function limitOf(field: GraphQLField<unknown, unknown>, node: FieldNode, expected: Count): Count | undefined {
  const argument = field.args.find(({ name }) => name === 'limit');
  if (!argument) return undefined;
  const given = node.arguments?.find(({ name }) => name.value === 'limit')?.value;
  const numberOf = (value: unknown, variables: Variables): number =>
    typeof value === 'number' ? Math.min(Math.max(value, 0), MAX_PAGE_SIZE) : expected(variables);
  if (given?.kind !== Kind.VARIABLE) {
    const value = given ? literalNumber(given) : argument.defaultValue;
    return (variables) => numberOf(value, variables);
  }
  const name = given.name.value;
  return (variables) => numberOf(variables[name] === undefined ? argument.defaultValue : variables[name], variables);
}

function literalNumber(node: ValueNode): number | undefined {
  return node.kind === Kind.INT ? Number(node.value) : undefined;
}

function expectedItems({ extensions }: GraphQLField<unknown, unknown>, isTree: boolean): number {
  const { defaultItems } = extensions as { defaultItems?: number };
  if (defaultItems) return Math.min(defaultItems, DEFAULT_PAGE_SIZE);
  return isTree ? EXPECTED_CHILDREN : EXPECTED_ITEMS;
}

/** Returns undefined if the directives always exclude the selection. */
function conditionsOf({ directives = [] }: SelectionNode): Condition[] | undefined {
  const found: Condition[] = [];
  for (const { name, arguments: [argument] = [] } of directives) {
    const value = name.value === 'include';
    if (argument?.value.kind === Kind.VARIABLE) found.push({ variable: argument.value.name.value, value });
    else if (argument?.value.kind === Kind.BOOLEAN && argument.value.value !== value) return undefined;
  }
  return found;
}
