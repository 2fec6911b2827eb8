import type { Domain } from '../kernel/domain.js';
import { ConnectorBaseUrl } from './connector-base-url.js';
import { ConnectorBaseUrlResolver } from './connector-base-url.resolver.js';
import { CredentialResolver } from './credential.resolver.js';
import { CredentialMetadata } from './credential-metadata.js';
import { credentialTestQueue } from './credential-test-job.js';
import { CredentialValidation } from './credential-validation.js';
import { OAuthFlow } from './oauth-flow.js';
import { OAuthFlowResolver } from './oauth-flow.resolver.js';
import { SealedCredential } from './sealed-credential.js';
import { SyncJob } from './sync-job.js';
import { SyncJobResolver } from './sync-job.resolver.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';
import { TenantConnectorInstanceResolver } from './tenant-connector-instance.resolver.js';
import { TenantConnectorTap } from './tenant-connector-tap.js';

export const instances: Domain = {
  entities: [
    TenantConnectorInstance,
    TenantConnectorTap,
    CredentialMetadata,
    SealedCredential,
    ConnectorBaseUrl,
    CredentialValidation,
    OAuthFlow,
    SyncJob,
  ],
  resolvers: [
    TenantConnectorInstanceResolver,
    CredentialResolver,
    OAuthFlowResolver,
    SyncJobResolver,
    ConnectorBaseUrlResolver,
  ],
  jobs: [credentialTestQueue],
};
