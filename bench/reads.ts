import type { Context } from 'koa';
import { decodeId } from '../src/kernel/ids.js';
import { DEEPEST, SEARCH } from './definitions.js';
import { connectorPage, groupingTree, latestSpcResults, vendorPage } from './statements.js';
import type { Question } from './yardsticks.js';

/** A read of the catalog: its address, the same over GraphQL, and the one statement that it is measured against. */
export interface Read {
  readonly name: string;
  readonly path: string;
  readonly operation: string;
  readonly variables: object;
  readonly question: Question;
  /** Not public: asked with the API key of a workspace. */
  readonly needsCaller?: true;
}

const page = ({ query }: Context): unknown[] => [Number(query.limit ?? 50), Number(query.offset ?? 0)];

export const vendorList: Read = {
  name: 'vendor list',
  path: '/api/vendors/platform-vendors',
  operation: 'platformVendors',
  variables: {},
  question: { name: 'vendors', text: vendorPage(false), values: page },
};

export const vendorSearch: Read = {
  name: 'vendor search',
  path: `/api/vendors/platform-vendors?search=${SEARCH}`,
  operation: 'platformVendors',
  variables: { search: SEARCH },
  question: { name: 'search', text: vendorPage(true), values: (ctx) => [...page(ctx), ctx.query.search] },
};

export const deepestTree: Read = {
  name: 'grouping tree',
  path: `/api/vendors/platform-vendor-groupings/${DEEPEST}`,
  operation: 'platformVendorGroupings',
  variables: { vendorSlug: DEEPEST },
  question: { name: 'tree', text: groupingTree(), values: ({ path }) => [path.slice(path.lastIndexOf('/') + 1)] },
};

export const connectorList: Read = {
  name: 'connector list',
  path: '/api/connectors?limit=50',
  operation: 'connectors',
  variables: { limit: 50 },
  question: { name: 'connectors', text: connectorPage(), values: page },
  needsCaller: true,
};

/** The latest control charts of a workspace. */
export function spcResults(tenantId: string): Read {
  return {
    name: 'control charts',
    path: '/api/catalog/table-spc-results',
    operation: 'tableSpcResults',
    variables: {},
    question: { name: 'charts', text: latestSpcResults(), values: () => [decodeId(tenantId), tenantId] },
    needsCaller: true,
  };
}
