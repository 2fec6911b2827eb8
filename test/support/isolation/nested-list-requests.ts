import { LIST_PARENTS, selectionOfParents } from '../lists/list-parents.js';
import { nestedLists, type SchemaList } from '../lists/schema-lists.js';
import type { SentRequest } from './isolation-calls.js';

/** Selects a page and the total of a nested list: once without a filter, and once per filter by id. */
export interface NestedListRequest {
  readonly title: string;
  readonly total: string;
  /** True if neither workspace has rows in the list. */
  readonly isEmpty: boolean;
  /** Every filter has the value `ids`. */
  readonly request: (ids: readonly string[]) => SentRequest;
}

/** So small that pages differ from whole lists, and that the operation does not exceed the maximum cost. */
const PAGE_SIZE = 2;

/** Empty lists, because the vendors and connections of both workspaces have no inbound strategies. */
const OF_INBOUND = ['Connector.inboundAuthStrategies', 'PlatformVendorGrouping.supportedInboundAuthStrategies'];
const EMPTY = [...OF_INBOUND, 'InboundAuthStrategy.instances', 'PlatformVendorGrouping.groupings'];

export const NESTED_LIST_REQUESTS: readonly NestedListRequest[] = nestedLists.map((list) => {
  const { on, name, total } = list;
  const fields = [...pageOf(list), ...pagesById(list)].join(' ');
  const declared = fields.includes('$ids') ? '($ids: [Base62Id!])' : '';
  const query = `query ${declared} { data: ${selectionOfParents(on, rootArguments(on), fields)} }`;
  const title = `${on}.${name}`;
  const request = (ids: readonly string[]) => ({
    method: 'POST',
    path: '/graphql',
    body: { query, variables: { ids } },
  });
  return { title, total, isEmpty: EMPTY.includes(title), request };
});

function pageOf({ name, total, orders: [order] }: SchemaList): string[] {
  return [`${name}(limit: ${PAGE_SIZE}, offset: 1, orderBy: ${order}) { id }`, total];
}

function pagesById({ name, total, filters }: SchemaList): string[] {
  const byId = Object.keys(filters).filter((filter) => filters[filter] === 'ids');
  return byId.flatMap((filter) => {
    const args = `filter: { ${filter}: $ids }`;
    return [`${filter}: ${name}(limit: ${PAGE_SIZE}, ${args}) { id }`, `${filter}Total: ${total}(${args})`];
  });
}

/** Restricts lists of the shared catalog to the part that both workspaces use. */
function rootArguments(type: string): string {
  const [root] = LIST_PARENTS[type]?.split('.') ?? [];
  if (root !== 'connectors' && root !== 'platformVendors') return 'limit: 50';
  return `limit: 20, search: "${type === 'InboundAuthStrategy' ? 'github' : 'loopback'}"`;
}
