import { type FieldNode, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';
import { jsonOf, ok, pageAtCursor, RejectedRequest, type Respond } from './simulated-tap-pages.js';
import type { SimulatedRecord } from './simulated-tap-records.js';

const MAX_PAGE_SIZE = 250;

/** A connection with `nodes` and `pageInfo`. Returns only the selected fields. */
export const graphqlConnection: Respond = (call, data) => {
  const { query, variables } = jsonOf(call) as { query: string; variables: Record<string, unknown> };
  const operation = parse(query).definitions[0] as OperationDefinitionNode;
  const list = operation.selectionSet.selections[0] as FieldNode;
  const argument = (name: string): unknown => {
    const value = list.arguments?.find((found) => found.name.value === name)?.value;
    if (value?.kind === 'Variable') return variables[value.name.value];
    return value?.kind === 'IntValue' ? Number(value.value) : undefined;
  };
  if (Number(argument('first') ?? MAX_PAGE_SIZE + 1) > MAX_PAGE_SIZE)
    throw new RejectedRequest('The page is too large.');
  const { records, offset, cursor } = pageAtCursor(data, argument('after'));
  const nodes = list.selectionSet?.selections.find((field) => (field as FieldNode).name.value === 'nodes') as FieldNode;
  const end = offset + records.length;
  // The end of the last page has a cursor too.
  const pageInfo = { hasNextPage: cursor !== undefined, endCursor: records.length > 0 ? `c+/${end}==` : null };
  return ok({
    data: {
      [list.name.value]: { nodes: records.map((record) => select(record, nodes.selectionSet)), pageInfo },
    },
  });
};

function select(record: SimulatedRecord, selection: SelectionSetNode | undefined): SimulatedRecord {
  const fields = (selection?.selections ?? []) as readonly FieldNode[];
  return Object.fromEntries(
    fields.map(({ name: { value: name }, selectionSet }) => {
      const value = record[name] ?? null;
      const isObject = selectionSet && value !== null && typeof value === 'object' && !Array.isArray(value);
      return [name, isObject ? select(value as SimulatedRecord, selectionSet) : value];
    }),
  );
}
