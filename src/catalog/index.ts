import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { CatalogRevision } from './catalog-revision.js';
import { Connector } from './model/connector.js';
import { ConnectorResolver } from './model/connector.resolver.js';
import { ConnectorAuthStrategy } from './model/connector-auth-strategy.js';
import { ConnectorTap } from './model/connector-tap.js';
import { InboundAuthStrategy } from './model/inbound-auth-strategy.js';
import { PlatformVendor } from './model/platform-vendor.js';
import { PlatformVendorResolver } from './model/platform-vendor.resolver.js';
import { PlatformVendorGrouping } from './model/platform-vendor-grouping.js';
import { PlatformVendorGroupingResolver } from './model/platform-vendor-grouping.resolver.js';
import { ConnectorRequest } from './requests/connector-request.js';
import { ConnectorRequestResolver } from './requests/connector-request.resolver.js';
import { ConnectorRequestMove } from './requests/connector-request-move.js';
import { catalogLists } from './requests/edges.js';

export const catalog: DomainManifest = {
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
  lists: catalogLists,
};
