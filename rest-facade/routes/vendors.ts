import type { Route } from './route.js';

const vendor = {
  id: '2vMb1qUYpXl5LQ4Q8mB808',
  name: 'GitHub',
  slug: 'github',
  sortOrder: 10,
  groupings: [],
  description: 'Code hosting, issues and pull requests.',
};

export const exampleGrouping = {
  id: '5hQ0mWk8Pd5JluBmKkcLFh',
  name: 'GitHub.com',
  slug: 'cloud',
  isLeaf: true,
  breadcrumbs: ['GitHub', 'GitHub.com'],
  groupings: [],
  releaseStage: 'ga',
  sortOrder: 10,
  vendor,
  connectorId: '1aZ9yX8wTEoZT0CPgEPww1',
  groupingPath: 'cloud',
  integrationClass: 'api',
  priority: 'required',
  protocolType: 'rest',
  supportedAuthStrategies: [],
};

export const vendorRoutes: readonly Route[] = [
  {
    operation: 'platformVendorGroupings',
    method: 'get',
    path: '/api/vendors/platform-vendor-groupings/{vendorSlug}',
    public: true,
    tag: 'Vendors',
    summary: 'List the groupings of a vendor',
    description:
      'The grouping tree of the vendor, with at most 8 levels. `groupings` of a grouping contains its child groupings. A leaf lists its authentication strategies. In the `vendor` and `parent` of a grouping, `groupings` is empty.',
    notFoundMessage: 'The vendor does not exist.',
    example: [exampleGrouping],
  },
  {
    operation: 'platformVendor',
    method: 'get',
    path: '/api/vendors/platform-vendors/{slug}',
    public: true,
    tag: 'Vendors',
    summary: 'Get a vendor',
    description: 'The vendor with its grouping tree.',
    notFoundMessage: 'The vendor does not exist.',
    example: { ...vendor, groupings: [exampleGrouping] },
  },
  {
    operation: 'platformVendors',
    method: 'get',
    path: '/api/vendors/platform-vendors',
    public: true,
    paged: true,
    tag: 'Vendors',
    summary: 'List vendors',
    description: 'Vendors with their grouping trees, ordered by `sortOrder`, then `name`.',
    example: { items: [vendor], limit: 50, offset: 0, total: 1 },
  },
];
