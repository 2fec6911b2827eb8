import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { EdgePlan } from '../../kernel/reading/edge-plan.js';
import { type FollowedEdge, type FollowedRows, followedRows } from '../../kernel/reading/followed-edges.js';
import { type AccessRule, accessRuleOf } from '../../tenancy/access.js';
import { compileObjects, completePart, isPart, propertyOf, setsOf, storedFields } from './response-objects.js';
import { type Fragments, fragmentsOf, type SelectedField, selectedFields, Unsupported } from './selected-fields.js';

/** The executor loads the values of this field for all objects of a selection together. */
export interface Edge extends SelectedField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly parent: GraphQLObjectType;
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** Loads the rows of the field. If undefined, the executor calls the resolver for each object. */
  readonly plan: EdgePlan | undefined;
  /** Fields that the query selects on the loaded objects. Undefined if the values need no further loading. */
  readonly selection: Selection | undefined;
  readonly complete: ((value: unknown) => unknown) | undefined;
  /** Rows that the service reads together with the rows of a root field. */
  readonly followed: FollowedRows | undefined;
}

export interface Selection {
  readonly create: (source: Record<string, unknown>) => Record<string, unknown>;
  readonly edges: readonly Edge[];
}

export interface BreadthFirstQuery {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly root: Selection;
  readonly rules: ReadonlySet<AccessRule>;
}

/**
 * The document must be valid. Returns undefined if breadth-first execution does not support the query. With
 * `keepsJsonText`, results contain `JsonText` for JSON columns.
 */
export function compileBreadthFirst(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  keepsJsonText = false,
): BreadthFirstQuery | undefined {
  const fragments = fragmentsOf(document);
  const rules = new Set<AccessRule>();
  const query = schema.getQueryType();
  if (operation.operation !== 'query' || !query) return undefined;
  try {
    const root = select(query, [operation.selectionSet]);
    return { schema, operation, fragments, root, rules };
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }

  function select(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Selection {
    const fields = selectedFields(type, sets, fragments);
    const completed = new Map<string, (value: unknown) => unknown>();
    const edges: Edge[] = [];
    for (const selected of fields) {
      const { key, field, nodes } = selected;
      if (!field) continue;
      rules.add(accessRuleOf(field) ?? 'public');
      const below = setsOf(nodes);
      if ((!field.resolve || propertyOf(field)) && type !== query && isPart(field.type, below, fragments))
        completed.set(key, completePart(field.type, below, fragments));
      else edges.push(edgeOf(type, { ...selected, field }, below));
    }
    const stored = keepsJsonText ? storedFields(fields, fragments) : undefined;
    return { create: compileObjects(type, fields, completed, stored), edges };
  }

  function edgeOf(
    parent: GraphQLObjectType,
    selected: SelectedField & Pick<Edge, 'field'>,
    below: readonly SelectionSetNode[],
  ): Edge {
    const { field, nodes } = selected;
    const isRequired = isNonNullType(field.type);
    const nullable = getNullableType(field.type);
    const isWhole = !nodes[0]?.arguments?.length;
    const plan = isWhole ? (field.extensions.plan as EdgePlan | undefined) : undefined;
    const edge = { ...selected, parent, isRequired, plan };
    if (isPart(field.type, below, fragments))
      return {
        ...{ ...edge, isList: false, selection: undefined, followed: undefined },
        complete: completePart(field.type, below, fragments),
      };
    const named = getNamedType(field.type);
    const isList = isListType(nullable);
    const item = isList ? nullable.ofType : nullable;
    if (!isObjectType(named) || (isList && !isNonNullType(item)) || getNullableType(item) !== named)
      throw new Unsupported();
    const selection = select(named, below);
    const followed = parent === query ? followedFrom(named.name, selection) : undefined;
    return { ...edge, isList, selection, complete: undefined, followed };
  }
}

/**
 * Returns the rows that the edges of `selection` load for rows of `type`. If `type` is a page, starts from the items of
 * the page.
 */
function followedFrom(type: string, selection: Selection): FollowedRows | undefined {
  const edges = followedEdges(selection);
  if (edges.length > 0) return followedRows(type, edges);
  const item = selection.edges.find(({ field, plan, selection }) => selection && !plan && !field.resolve);
  return item?.selection && followedFrom(getNamedType(item.field.type).name, item.selection);
}

function followedEdges({ edges }: Selection): FollowedEdge[] {
  return edges.flatMap(({ plan, selection }) => (plan && selection ? [{ plan, below: followedEdges(selection) }] : []));
}
