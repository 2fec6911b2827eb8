import type { ListEdge } from '../../kernel/entities/list-edge.js';
import type { AccessRule } from '../../tenancy/access.js';
import { Connector } from '../model/connector.js';
import { ConnectorAuthStrategy } from '../model/connector-auth-strategy.js';
import { InboundAuthStrategy } from '../model/inbound-auth-strategy.js';
import { PlatformVendor } from '../model/platform-vendor.js';
import { PlatformVendorGrouping } from '../model/platform-vendor-grouping.js';
import { ConnectorRequest } from './connector-request.js';

/**
 * A leaf with a connector returns the strategies of this connector. Any other leaf returns the strategies of
 * `strategiesOf`.
 */
const OF_LEAF = `connector_id = (select coalesce(leaf.connector_id, leaf.strategies_of_id)
  from platform_vendor_grouping leaf where leaf.id = wanted.id)`;

const requestsFor = (result: string) =>
  ({
    name: 'connectorRequests',
    of: ConnectorRequest,
    access: 'connector_requests:read',
    description: `The workspace's completed connector requests that led to ${result}, newest first.`,
  }) as const satisfies Partial<ListEdge<AccessRule>>;

export const catalogLists: readonly ListEdge<AccessRule>[] = [
  { on: PlatformVendor, name: 'groupings', of: PlatformVendorGrouping, by: 'vendor', where: 'parent_id is null' },
  {
    ...{ on: PlatformVendor, name: 'allGroupings', of: PlatformVendorGrouping, by: 'vendor' },
    description: 'Groupings of all levels in one list, ordered by `sortOrder`, then `name`.',
  },
  {
    ...{ on: PlatformVendor, name: 'connectors', of: Connector, by: 'vendor', access: 'connectors:read' },
    description: 'Connectors of the vendor, ordered by name.',
  },
  {
    ...{ on: Connector, name: 'groupings', of: PlatformVendorGrouping, by: 'connector' },
    description: 'Groupings that offer the connector, ordered by `sortOrder`, then `name`.',
  },
  { on: PlatformVendorGrouping, name: 'supportedAuthStrategies', of: ConnectorAuthStrategy, match: OF_LEAF },
  { on: PlatformVendorGrouping, name: 'supportedInboundAuthStrategies', of: InboundAuthStrategy, match: OF_LEAF },
  { on: PlatformVendor, by: 'resolvedVendor', ...requestsFor('a connector of the vendor') },
  { on: PlatformVendorGrouping, by: 'resolvedGrouping', ...requestsFor('a connector of the grouping') },
  { on: Connector, by: 'resultConnector', ...requestsFor('the connector') },
];
