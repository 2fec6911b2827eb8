import { Connector } from '../catalog/model/connector.js';
import { ConnectorAuthStrategy } from '../catalog/model/connector-auth-strategy.js';
import { ConnectorTap } from '../catalog/model/connector-tap.js';
import { InboundAuthStrategy } from '../catalog/model/inbound-auth-strategy.js';
import { PlatformVendor } from '../catalog/model/platform-vendor.js';
import { PlatformVendorGrouping } from '../catalog/model/platform-vendor-grouping.js';
import type { ListEdge } from '../kernel/entities/list-edge.js';
import { HISTORY_LIMIT } from '../kernel/reading/paging.js';
import type { AccessRule } from '../tenancy/access.js';
import { CredentialMetadata } from './credential-metadata.js';
import { CredentialValidation } from './credential-validation.js';
import { SyncJob } from './sync-job.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';
import { TenantConnectorTap } from './tenant-connector-tap.js';

const INSTANCES = { name: 'instances', of: TenantConnectorInstance, access: 'connectors:read' } as const;
const described = (subject: string) => ({ description: `Connections of the workspace ${subject}, oldest first.` });

export const connectionLists: readonly ListEdge<AccessRule>[] = [
  {
    ...{ on: PlatformVendor, ...INSTANCES, ...described('to the vendor') },
    match: 'grouping_id in (select id from platform_vendor_grouping part where part.vendor_id = wanted.id)',
  },
  { on: PlatformVendorGrouping, by: 'grouping', ...INSTANCES, ...described('that were created from the grouping') },
  { on: Connector, by: 'connector', ...INSTANCES, ...described('that use the connector') },
  { on: ConnectorAuthStrategy, by: 'authenticationStrategy', ...INSTANCES, ...described('that use the strategy') },
  { on: InboundAuthStrategy, by: 'inboundAuthStrategy', ...INSTANCES, ...described('that use the strategy') },
  {
    ...{ on: ConnectorTap, name: 'tenantConnectorTaps', of: TenantConnectorTap, by: 'tap', access: 'connectors:read' },
    description: 'Taps of the workspace with this definition, ordered by name.',
  },
  {
    ...{ on: TenantConnectorInstance, name: 'credentials', of: CredentialMetadata, by: 'instance' },
    ...{ most: HISTORY_LIMIT, access: 'credentials:read' },
    description: 'Credential records, newest first. Without `limit`, returns the latest 50.',
  },
  {
    ...{ on: TenantConnectorInstance, name: 'syncJobs', of: SyncJob, by: 'instance' },
    ...{ most: HISTORY_LIMIT, access: 'connectors:read' },
    description: 'Sync jobs, newest first. Without `limit`, returns the latest 50.',
  },
  {
    ...{ on: CredentialMetadata, name: 'validations', of: CredentialValidation, by: 'credential' },
    ...{ most: HISTORY_LIMIT, access: 'credentials:read' },
    description: 'Tests, newest first. Without `limit`, returns the latest 50.',
  },
];
