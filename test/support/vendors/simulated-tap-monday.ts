import { type FieldNode, type OperationDefinitionNode, parse } from 'graphql';
import { fieldOf, select } from './simulated-tap-graphql.js';
import { jsonOf, ok, pageAt, pageAtCursor, RejectedRequest, type Respond } from './simulated-tap-pages.js';

interface MondayRequest {
  readonly query: string;
  readonly variables?: { readonly page?: number; readonly limit?: number; readonly cursor?: string | null };
}

/**
 * Returns a numbered page, or a list without pages. A page with the items of a board contains a cursor, which is null
 * on the last page.
 */
export const monday: Respond = (call, data) => {
  const { query, variables = {} } = jsonOf(call) as unknown as MondayRequest;
  const root = (parse(query).definitions[0] as OperationDefinitionNode).selectionSet.selections[0] as FieldNode;
  const [nested] = (root.selectionSet?.selections ?? []) as readonly FieldNode[];
  const isOfBoard = root.arguments?.some(({ name }) => name.value === 'ids');
  if (isOfBoard && nested?.name.value === 'items_page') return itemsPage(variables.cursor, nested, data);
  if (isOfBoard && nested) return ok({ data: { boards: [{ [nested.name.value]: selected(nested, data.records) }] } });
  const hasPages = root.arguments?.some(({ name }) => name.value === 'page');
  const { page = 1, limit = 25 } = variables;
  const records = hasPages ? pageAt(data, (page - 1) * limit, limit).records : data.records;
  return ok({ data: { [root.name.value]: selected(root, records) } });
};

function itemsPage(cursor: unknown, field: FieldNode, data: Parameters<Respond>[1]): ReturnType<Respond> {
  const items = fieldOf(field, 'items');
  if (!items) throw new RejectedRequest('The query selects no items.');
  const page = pageAtCursor(data, cursor);
  const items_page = { cursor: page.cursor ?? null, items: selected(items, page.records) };
  return ok({ data: { boards: [{ items_page }] } });
}

function selected({ selectionSet }: FieldNode, records: readonly Readonly<Record<string, unknown>>[]): object[] {
  return records.map((record) => select(record, selectionSet));
}
