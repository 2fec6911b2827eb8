import { newId } from '../../../src/kernel/ids.js';
import { selectionOfParents } from './list-parents.js';
import type { FilterKind, SchemaList } from './schema-lists.js';

const VALUES: Record<FilterKind, string> = {
  ids: `["${newId()}"]`,
  values: '[]',
  text: '"a"',
  flag: 'true',
  time: '{ from: "2000-01-01T00:00:00Z" }',
};

/**
 * Returns a query for the first `parents` objects with a nested list. The query selects a page and the total of the
 * list, with all arguments.
 */
export function nestedPageQuery({ on, name, total, filters, orders: [order] }: SchemaList, parents: number): string {
  const [filter, kind] = Object.entries(filters)[0] as [string, FilterKind];
  const matching = `filter: { ${filter}: ${VALUES[kind]} }`;
  const page = `${name}(limit: 2, offset: 1, ${matching}, orderBy: ${order}) { id } ${total}(${matching})`;
  return `{ ${selectionOfParents(on, rootArguments(on, parents), page)} }`;
}

/** Searches for connectors with inbound strategies, because most connectors have none. */
function rootArguments(type: string, parents: number): string {
  const search = parents === 1 ? 'GitHub webhooks' : 'webhooks';
  return `limit: ${parents}${type === 'InboundAuthStrategy' ? `, search: "${search}"` : ''}`;
}
