import type { Domain } from '../kernel/domain.js';
import { CatalogRevision } from './catalog-revision.js';
import { Connector } from './connector.js';
import { ConnectorResolver } from './connector.resolver.js';
import { ConnectorAuthStrategy } from './connector-auth-strategy.js';
import { ConnectorRequest } from './connector-request.js';
import { ConnectorRequestResolver } from './connector-request.resolver.js';
import { ConnectorRequestMove } from './connector-request-move.js';
import { ConnectorTap } from './connector-tap.js';
import { InboundAuthStrategy } from './inbound-auth-strategy.js';
import { PlatformVendor } from './platform-vendor.js';
import { PlatformVendorResolver } from './platform-vendor.resolver.js';
import { PlatformVendorGrouping } from './platform-vendor-grouping.js';
import { PlatformVendorGroupingResolver } from './platform-vendor-grouping.resolver.js';

export const catalog: Domain = {
  entities: [
    PlatformVendor,
    PlatformVendorGrouping,
    Connector,
    ConnectorAuthStrategy,
    InboundAuthStrategy,
    ConnectorTap,
    CatalogRevision,
    ConnectorRequest,
    ConnectorRequestMove,
  ],
  resolvers: [PlatformVendorResolver, PlatformVendorGroupingResolver, ConnectorResolver, ConnectorRequestResolver],
};
