import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import type { DocumentCache } from './document-cache.js';

export interface RequestedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Record<string, unknown>;
  readonly context: RequestContext;
}

export async function executeOperation(
  schema: GraphQLSchema,
  documents: DocumentCache,
  { document, operation, variables, context }: RequestedOperation,
): Promise<ExecutionResult> {
  const run = documents.compiled(document, operation);
  if (!run)
    return execute({
      schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName: operation.name?.value,
    });
  const result = await run(context, variables);
  if (!result.errors) return result;
  return { ...result, errors: withNodes(firstOfEachNull(result.errors, result.data), document, operation) };
}

/** If several errors lead to the same null, keeps the first error, like graphql-js. */
function firstOfEachNull(errors: readonly GraphQLError[], data: unknown): GraphQLError[] {
  const places = new Set<string>();
  return errors.filter(({ path = [] }) => {
    let value = data;
    let depth = 0;
    while (value && depth < path.length) value = (value as Record<string | number, unknown>)[path[depth++] as string];
    const place = path.slice(0, depth).join('.');
    return !places.has(place) && places.add(place);
  });
}

/** graphql-jit omits `nodes`, from which the service derives the locations of an error. */
function withNodes(
  errors: readonly GraphQLError[],
  document: DocumentNode,
  operation: OperationDefinitionNode,
): GraphQLError[] {
  const known = new Map<string, readonly FieldNode[]>();
  return errors.map(({ message, path, originalError }) => {
    const keys = (path ?? []).filter((key) => typeof key === 'string');
    const place = keys.join('.');
    const nodes = known.get(place) ?? nodesAt(document, operation, keys);
    known.set(place, nodes);
    return new GraphQLError(message, { nodes, path: path ?? null, originalError: originalError ?? null });
  });
}

function nodesAt(
  { definitions }: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  keys: readonly string[],
): readonly FieldNode[] {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  let found: FieldNode[] = [];
  let sets = [selectionSet];
  for (const key of keys) {
    found = sets.flatMap((set) => fieldsOf(set, fragments)).filter(({ alias, name }) => (alias ?? name).value === key);
    sets = found.flatMap((node) => node.selectionSet ?? []);
  }
  return found;
}

function fieldsOf({ selections }: SelectionSetNode, fragments: readonly FragmentDefinitionNode[]): FieldNode[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    const spread =
      node.kind === Kind.INLINE_FRAGMENT ? node : fragments.find(({ name }) => name.value === node.name.value);
    return spread ? fieldsOf(spread.selectionSet, fragments) : [];
  });
}
