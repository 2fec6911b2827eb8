import { type FieldNode, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';
import { jsonOf, ok, pageAtCursor, RejectedRequest, type Respond } from './simulated-tap-pages.js';
import type { SimulatedRecord } from './simulated-tap-records.js';

const MAX_PAGE_SIZE = 250;

/**
 * Returns a list as `nodes` and `pageInfo`. The list is the root field of the query or a field of the root object. The
 * nodes contain only the selected fields.
 */
export const graphqlConnection: Respond = (call, data) => {
  const { query, variables } = jsonOf(call) as { query: string; variables: Record<string, unknown> };
  const operation = parse(query).definitions[0] as OperationDefinitionNode;
  const root = operation.selectionSet.selections[0] as FieldNode;
  const isOfObject = !fieldOf(root, 'nodes');
  const list = isOfObject ? (root.selectionSet?.selections[0] as FieldNode) : root;
  const argument = (name: string): unknown => {
    const value = list.arguments?.find((found) => found.name.value === name)?.value;
    if (value?.kind === 'Variable') return variables[value.name.value];
    return value?.kind === 'IntValue' ? Number(value.value) : undefined;
  };
  if (Number(argument('first') ?? MAX_PAGE_SIZE + 1) > MAX_PAGE_SIZE)
    throw new RejectedRequest('The page is too large.');
  const { records, offset, cursor } = pageAtCursor(data, argument('after'));
  const nodes = fieldOf(list, 'nodes');
  const end = offset + records.length;
  // Even the last page has a cursor. Only an empty page has none.
  const pageInfo = { hasNextPage: cursor !== undefined, endCursor: records.length > 0 ? `c+/${end}==` : null };
  const connection = { [list.name.value]: { nodes: records.map((record) => nodeOf(record, nodes)), pageInfo } };
  return ok({ data: isOfObject ? { [root.name.value]: connection } : connection });
};

export function fieldOf({ selectionSet }: FieldNode, wanted: string): FieldNode | undefined {
  return (selectionSet?.selections as readonly FieldNode[] | undefined)?.find(({ name }) => name.value === wanted);
}

/**
 * If the query selects only one list field of each node, returns a node whose list contains the record. For other
 * queries, returns the record.
 */
function nodeOf(record: SimulatedRecord, nodes: FieldNode | undefined): SimulatedRecord {
  const [field, ...others] = (nodes?.selectionSet?.selections ?? []) as readonly FieldNode[];
  if (!field?.selectionSet || others.length > 0) return select(record, nodes?.selectionSet);
  return { [field.name.value]: [select(record, field.selectionSet)] };
}

export function select(record: SimulatedRecord, selection: SelectionSetNode | undefined): SimulatedRecord {
  const fields = (selection?.selections ?? []) as readonly FieldNode[];
  return Object.fromEntries(
    fields.map(({ name: { value: name }, selectionSet }) => {
      const value = record[name] ?? null;
      const isObject = selectionSet && value !== null && typeof value === 'object' && !Array.isArray(value);
      return [name, isObject ? select(value as SimulatedRecord, selectionSet) : value];
    }),
  );
}
