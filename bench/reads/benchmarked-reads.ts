import type { Context } from 'koa';
import { decodeId } from '../../src/kernel/ids.js';
import { DEEPEST_VENDOR_SLUG, SEARCH_TERM } from '../support/generate-vendor-definitions.js';
import { connectorPageSql, groupingTreeSql, latestSpcResultsSql, vendorPageSql } from './baseline-queries.js';
import type { BaselineQuery } from './baseline-servers.js';

export interface BenchmarkedRead {
  readonly name: string;
  readonly path: string;
  readonly baseline: BaselineQuery;
  /** Whether the read requires an API key of a workspace. */
  readonly needsCaller?: true;
}

const page = ({ query }: Context): unknown[] => [Number(query.limit ?? 50), Number(query.offset ?? 0)];

export const vendorList: BenchmarkedRead = {
  name: 'vendor list',
  path: '/api/vendors/platform-vendors',
  baseline: { name: 'vendors', text: vendorPageSql(false), values: page },
};

export const vendorSearch: BenchmarkedRead = {
  name: 'vendor search',
  path: `/api/vendors/platform-vendors?search=${SEARCH_TERM}`,
  baseline: { name: 'search', text: vendorPageSql(true), values: (ctx) => [...page(ctx), ctx.query.search] },
};

export const deepestGroupingTree: BenchmarkedRead = {
  name: 'grouping tree',
  path: `/api/vendors/platform-vendor-groupings/${DEEPEST_VENDOR_SLUG}`,
  baseline: { name: 'tree', text: groupingTreeSql(), values: ({ path }) => [path.slice(path.lastIndexOf('/') + 1)] },
};

export const connectorList: BenchmarkedRead = {
  name: 'connector list',
  path: '/api/connectors?limit=50',
  baseline: { name: 'connectors', text: connectorPageSql(), values: page },
  needsCaller: true,
};

export function spcResults(tenantId: string): BenchmarkedRead {
  return {
    name: 'control charts',
    path: '/api/catalog/table-spc-results',
    baseline: { name: 'charts', text: latestSpcResultsSql(), values: () => [decodeId(tenantId), tenantId] },
    needsCaller: true,
  };
}
