import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { defineJob } from '../kernel/jobs/job-queue.js';
import { ConnectorBaseUrl } from './config/connector-base-url.js';
import { CredentialMetadata } from './credential-metadata.js';
import { CredentialValidation } from './credential-validation.js';
import type { ConnectionServices } from './credentials/connection-context.js';
import { CredentialResolver } from './credentials/credential.resolver.js';
import { credentialTestQueue } from './credentials/credential-test-job.js';
import { SealedCredential } from './credentials/sealed-credential.js';
import { connectionLists } from './edges.js';
import { ConnectorBaseUrlResolver } from './lifecycle/connector-base-url.resolver.js';
import { TenantConnectorInstanceResolver } from './lifecycle/tenant-connector-instance.resolver.js';
import { ConnectionUpdatesResolver } from './live-updates.resolver.js';
import { OAuthFlow } from './oauth/oauth-flow.js';
import { OAuthFlowResolver } from './oauth/oauth-flow.resolver.js';
import { SyncJob } from './sync-job.js';
import { SyncJobResolver } from './sync-job.resolver.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';
import { TenantConnectorTap } from './tenant-connector-tap.js';

interface JobServices {
  readonly connections: Pick<ConnectionServices, 'credentialTester'>;
}

export const instances: DomainManifest<JobServices> = {
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
    ConnectionUpdatesResolver,
  ],
  lists: connectionLists,
  jobs: [
    defineJob(credentialTestQueue, ({ connections }, data, { id }) =>
      connections.credentialTester.runTestJob(data, id),
    ),
  ],
};
