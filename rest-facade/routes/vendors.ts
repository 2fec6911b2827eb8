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
    summary: 'Groupings of a vendor',
    description:
      'All groupings of the vendor, the full hierarchy: the top ones, with the others nested below in `groupings`, at most 8 levels. A leaf carries its auth strategies. The `vendor` and `parent` of a grouping carry an empty `groupings`.',
    notFoundMessage: 'There is no vendor of that slug.',
    example: [exampleGrouping],
  },
  {
    operation: 'platformVendor',
    method: 'get',
    path: '/api/vendors/platform-vendors/{slug}',
    public: true,
    tag: 'Vendors',
    summary: 'One vendor',
    description: 'The vendor with its grouping tree.',
    notFoundMessage: 'There is no vendor of that slug.',
    example: { ...vendor, groupings: [exampleGrouping] },
  },
  {
    operation: 'platformVendors',
    method: 'get',
    path: '/api/vendors/platform-vendors',
    public: true,
    paged: true,
    tag: 'Vendors',
    summary: 'List of vendors',
    description: 'Vendors with their grouping trees, by `sortOrder`, then `name`.',
    example: { items: [vendor], limit: 50, offset: 0, total: 1 },
  },
];
