/**
 * These tables are handwritten, and permissions.test.ts compares them with the running service. `x` is allowed, and
 * `.` is denied. `o` is denied without an error: the field returns its fallback, without data of the workspace. `key`
 * is an API key without permissions.
 */

/** All root fields, and then all other fields that have their own access rule. */
export const FIELDS = `
field                               rule                      owner admin editor operator viewer anonymous key

platformVendor                      public                    x     x     x      x        x      x         x
platformVendorGroupings             public                    x     x     x      x        x      x         x
platformVendors                     public                    x     x     x      x        x      x         x

me                                  workspace                 x     x     x      x        x      .         x
users                               member                    x     x     x      x        x      .         .
roles                               workspace                 x     x     x      x        x      .         x
rolesTotal                          workspace                 x     x     x      x        x      .         x
workspace                           workspace                 x     x     x      x        x      .         x

connector                           connectors:read           x     x     x      x        x      .         .
connectors                          connectors:read           x     x     x      x        x      .         .
setConnectorBaseUrl                 workspace:write           x     x     .      .        .      .         .
connectorRequest                    connector_requests:read   x     x     x      x        x      .         .
connectorRequests                   connector_requests:read   x     x     x      x        x      .         .
createConnectorRequest              connector_requests:write  x     x     x      x        .      .         .
moveConnectorRequest                connector_requests:move   x     x     .      x        .      .         .

tenantConnectorInstancesForVendor   connectors:read           x     x     x      x        x      .         o
tenantConnectorInstancesForVendorCount connectors:read        x     x     x      x        x      .         o
tenantConnectorInstances            connectors:read           x     x     x      x        x      .         .
tenantConnectorInstance             connectors:read           x     x     x      x        x      .         .
tenantConnectorInstanceChanged      connectors:read           x     x     x      x        x      .         .
syncJobChanged                      connectors:read           x     x     x      x        x      .         .
publicationChanged                  connectors:read           x     x     x      x        x      .         .
syncJobs                            connectors:read           x     x     x      x        x      .         .
createConnectorInstance             connectors:write          x     x     x      .        .      .         .
configureConnectorInstance          connectors:write          x     x     x      .        .      .         .
updateConnectorInstance             connectors:write          x     x     x      .        .      .         .
deleteConnectorInstance             connectors:write          x     x     x      .        .      .         .
connectorOauthStart                 connectors:write          x     x     x      .        .      .         .
connectorOauthComplete              connectors:write          x     x     x      .        .      .         .
validateCredentials                 credentials:validate      x     x     x      x        .      .         .
tenantConnectorCredentialDetail     credentials:read          x     x     x      x        x      .         .
sync                                syncs:read                x     x     x      x        x      .         .
syncTimeline                        syncs:read                x     x     x      x        x      .         .
syncSchedule                        syncs:read                x     x     x      x        x      .         .
startSync                           syncs:write               x     x     x      x        .      .         .
cancelSync                          syncs:write               x     x     x      x        .      .         .
setSyncSchedule                     syncs:write               x     x     x      x        .      .         .
tryTap                              syncs:write               x     x     x      x        .      .         .
discoverObjects                     taps:write                x     x     x      x        .      .         .
recordSyncJob                       sync_jobs:write           x     x     .      x        .      .         .

artifact                            artifacts:read            x     x     x      x        x      .         o
artifacts                           artifacts:read            x     x     x      x        x      .         .
uploadArtifact                      artifacts:write           x     x     x      .        .      .         .
updateArtifact                      artifacts:write           x     x     x      .        .      .         .
runArtifactSchemaInference          artifacts:infer           x     x     x      .        .      .         .
deleteArtifact                      artifacts:delete          x     x     x      .        .      .         .
checkArtifactColumns                artifacts:publish         x     x     x      .        .      .         .
publishArtifact                     artifacts:publish         x     x     x      .        .      .         .

tenantConnectorTaps                 connectors:read           x     x     x      x        x      .         .
tenantConnectorTap                  connectors:read           x     x     x      x        x      .         .
addTenantConnectorTap               taps:write                x     x     x      x        .      .         .
updateTenantConnectorTap            taps:write                x     x     x      x        .      .         .
resetTenantConnectorTap             taps:write                x     x     x      x        .      .         .
decideHeldRows                      syncs:write               x     x     x      x        .      .         .
decideHeldRecords                   taps:write                x     x     x      x        .      .         .
deleteTenantConnectorTap            taps:delete               x     x     x      .        .      .         .
pushedTaps                          connectors:read           x     x     x      x        x      .         .
ingestTokens                        ingest_tokens:read        x     x     x      x        x      .         .
mintIngestToken                     ingest_tokens:mint        x     x     x      .        .      .         .
rotateIngestToken                   ingest_tokens:rotate      x     x     x      x        .      .         .
revokeIngestToken                   ingest_tokens:revoke      x     x     x      x        .      .         .

catalogTables                       catalog:read              x     x     x      x        x      .         .
catalogTable                        catalog:read              x     x     x      x        x      .         .
catalogTableFiles                   catalog:read              x     x     x      x        x      .         .
catalogTableRows                    catalog:read              x     x     x      x        x      .         .
catalogTableVersions                catalog:read              x     x     x      x        x      .         .
catalogTableSchemaChanges           catalog:read              x     x     x      x        x      .         .
tableSpcResults                     catalog:read              x     x     x      x        x      .         .
tableQualityResults                 catalog:read              x     x     x      x        x      .         .
tableQualityResultChanged           catalog:read              x     x     x      x        x      .         .
tableSpcHistory                     catalog:read              x     x     x      x        x      .         .
tableQualityHistory                 catalog:read              x     x     x      x        x      .         .
tableSpcChart                       catalog:read              x     x     x      x        x      .         .
updateTableContract                 contracts:write           x     x     x      .        .      .         .
previewTableContract                contracts:write           x     x     x      .        .      .         .
acceptSpcLevel                      contracts:write           x     x     x      .        .      .         .
recordTableRun                      table_runs:write          x     x     .      x        .      .         .

invitations                         invitations:write         x     x     .      .        .      .         .
inviteUser                          invitations:write         x     x     .      .        .      .         .
revokeInvite                        invitations:revoke        x     x     .      .        .      .         .
createRole                          roles:write               x     x     .      .        .      .         .
updateRole                          roles:write               x     x     .      .        .      .         .
deleteRole                          roles:write               x     x     .      .        .      .         .
updateUser                          roles:write               x     x     .      .        .      .         .
apiKeys                             api_keys:write            x     x     .      .        .      .         .
createApiKey                        api_keys:write            x     x     .      .        .      .         .
revokeApiKey                        api_keys:write            x     x     .      .        .      .         .
updateWorkspace                     workspace:write           x     x     .      .        .      .         .
auditEntries                        audit:read                x     x     .      .        .      .         .

User.roles                          workspace                 x     x     x      x        x      .         x
User.permissions                    workspace                 x     x     x      x        x      .         x
Invitation.roles                    invitations:write         x     x     .      .        .      .         .
Connector.effectiveBaseUrl          connectors:read           x     x     x      x        x      .         .
ConnectorRequest.moves              connector_requests:read   x     x     x      x        x      .         .
PlatformVendorGrouping.connector    connectors:read           x     x     x      x        x      .         .
TenantConnectorInstance.taps        connectors:read           x     x     x      x        x      .         .
TenantConnectorInstance.credentials credentials:read          x     x     x      x        x      .         .
TenantConnectorInstance.syncJobs    connectors:read           x     x     x      x        x      .         .
TenantConnectorTap.instance         connectors:read           x     x     x      x        x      .         .
TenantConnectorTap.publication      workspace                 x     x     x      x        x      .         x
TenantConnectorTap.ingestTokens     ingest_tokens:read        x     x     x      x        x      .         .
TenantConnectorTap.deliveries       ingest_tokens:read        x     x     x      x        x      .         .
TenantConnectorTap.pendingBatches   ingest_tokens:read        x     x     x      x        x      .         .
TenantConnectorTap.runs             syncs:read                x     x     x      x        x      .         .
TenantConnectorInstance.syncSchedule syncs:read                x     x     x      x        x      .         .
SyncJob.tapRuns                     syncs:read                x     x     x      x        x      .         .
TapRun.timeline                     syncs:read                x     x     x      x        x      .         .
TapRun.job                          connectors:read           x     x     x      x        x      .         .
TapRun.tap                          connectors:read           x     x     x      x        x      .         .
TenantConnectorTap.table            catalog:read              x     x     x      x        x      .         .
CatalogTable.tap                    catalog:read              x     x     x      x        x      .         .
CatalogTable.files                  catalog:read              x     x     x      x        x      .         .
CatalogTable.versions               catalog:read              x     x     x      x        x      .         .
CatalogTable.schemaChanges          catalog:read              x     x     x      x        x      .         .
CatalogTable.preview                catalog:read              x     x     x      x        x      .         .
CatalogTable.contracts              catalog:read              x     x     x      x        x      .         .
TableContract.table                 catalog:read              x     x     x      x        x      .         .
TableContract.latestSpcResult       catalog:read              x     x     x      x        x      .         .
TableContract.latestQualityResult   catalog:read              x     x     x      x        x      .         .
TableSpcResult.contract             catalog:read              x     x     x      x        x      .         .
TableQualityResult.contract         catalog:read              x     x     x      x        x      .         .
CredentialMetadata.validations      credentials:read          x     x     x      x        x      .         .
Actor.apiKey                        api_keys:write            x     x     .      .        .      .         .
Actor.user                          member                    x     x     x      x        x      .         .
ApiKey.createdByUser                workspace                 x     x     x      x        x      .         x
ApiKey.updatedByUser                workspace                 x     x     x      x        x      .         x
Artifact.attributedTap              connectors:read           x     x     x      x        x      .         .
Artifact.createdByUser              workspace                 x     x     x      x        x      .         x
Artifact.taps                       connectors:read           x     x     x      x        x      .         .
Artifact.updatedByUser              workspace                 x     x     x      x        x      .         x
AuditEntry.actorUser                workspace                 x     x     x      x        x      .         x
CatalogTable.createdByUser          workspace                 x     x     x      x        x      .         x
CatalogTable.updatedByUser          workspace                 x     x     x      x        x      .         x
Connector.connectorRequests         connector_requests:read   x     x     x      x        x      .         .
Connector.createdByUser             workspace                 x     x     x      x        x      .         x
Connector.instances                 connectors:read           x     x     x      x        x      .         .
Connector.updatedByUser             workspace                 x     x     x      x        x      .         x
ConnectorAuthStrategy.connector     connectors:read           x     x     x      x        x      .         .
ConnectorAuthStrategy.createdByUser workspace                 x     x     x      x        x      .         x
ConnectorAuthStrategy.instances     connectors:read           x     x     x      x        x      .         .
ConnectorAuthStrategy.updatedByUser workspace                 x     x     x      x        x      .         x
ConnectorRequest.createdByUser      workspace                 x     x     x      x        x      .         x
ConnectorRequest.resultConnector    connectors:read           x     x     x      x        x      .         .
ConnectorRequest.updatedByUser      workspace                 x     x     x      x        x      .         x
ConnectorRequestMove.movedByUser    workspace                 x     x     x      x        x      .         x
ConnectorRequestMove.request        connector_requests:read   x     x     x      x        x      .         .
ConnectorTap.connector              connectors:read           x     x     x      x        x      .         .
ConnectorTap.createdByUser          workspace                 x     x     x      x        x      .         x
ConnectorTap.tenantConnectorTaps    connectors:read           x     x     x      x        x      .         .
ConnectorTap.updatedByUser          workspace                 x     x     x      x        x      .         x
CredentialMetadata.createdByUser    workspace                 x     x     x      x        x      .         x
CredentialMetadata.instance         connectors:read           x     x     x      x        x      .         .
CredentialMetadata.updatedByUser    workspace                 x     x     x      x        x      .         x
CredentialValidation.credential     credentials:read          x     x     x      x        x      .         .
InboundAuthStrategy.connector       connectors:read           x     x     x      x        x      .         .
InboundAuthStrategy.createdByUser   workspace                 x     x     x      x        x      .         x
InboundAuthStrategy.instances       connectors:read           x     x     x      x        x      .         .
InboundAuthStrategy.updatedByUser   workspace                 x     x     x      x        x      .         x
IngestToken.createdByUser           workspace                 x     x     x      x        x      .         x
IngestToken.tap                     connectors:read           x     x     x      x        x      .         .
IngestToken.updatedByUser           workspace                 x     x     x      x        x      .         x
Invitation.createdByUser            workspace                 x     x     x      x        x      .         x
Invitation.updatedByUser            workspace                 x     x     x      x        x      .         x
Invitation.user                     member                    x     x     x      x        x      .         .
PlatformVendor.connectorRequests    connector_requests:read   x     x     x      x        x      .         .
PlatformVendor.connectors           connectors:read           x     x     x      x        x      .         .
PlatformVendor.instances            connectors:read           x     x     x      x        x      .         .
PlatformVendorGrouping.connectorRequests connector_requests:read   x     x     x      x        x      .         .
PlatformVendorGrouping.instances    connectors:read           x     x     x      x        x      .         .
Publication.artifact                artifacts:read            x     x     x      x        x      .         .
Publication.tap                     connectors:read           x     x     x      x        x      .         .
Role.childRoles                     workspace                 x     x     x      x        x      .         x
Role.createdByUser                  workspace                 x     x     x      x        x      .         x
Role.parentRole                     workspace                 x     x     x      x        x      .         x
Role.updatedByUser                  workspace                 x     x     x      x        x      .         x
Role.users                          member                    x     x     x      x        x      .         .
SyncJob.createdByUser               workspace                 x     x     x      x        x      .         x
SyncJob.instance                    connectors:read           x     x     x      x        x      .         .
SyncSchedule.createdByUser          workspace                 x     x     x      x        x      .         x
SyncSchedule.instance               connectors:read           x     x     x      x        x      .         .
SyncSchedule.updatedByUser          workspace                 x     x     x      x        x      .         x
SyncJob.updatedByUser               workspace                 x     x     x      x        x      .         x
TableContract.createdByUser         workspace                 x     x     x      x        x      .         x
TableContract.qualityResults        catalog:read              x     x     x      x        x      .         .
TableContract.spcResults            catalog:read              x     x     x      x        x      .         .
TableContract.updatedByUser         workspace                 x     x     x      x        x      .         x
TableFile.table                     catalog:read              x     x     x      x        x      .         .
TableVersion.tapRun                 syncs:read                x     x     x      x        x      .         .
TableVersion.table                  catalog:read              x     x     x      x        x      .         .
TapRun.createdByUser                workspace                 x     x     x      x        x      .         x
TapRun.updatedByUser                workspace                 x     x     x      x        x      .         x
TenantConnectorInstance.createdByUser workspace                 x     x     x      x        x      .         x
TenantConnectorInstance.credential  credentials:read          x     x     x      x        x      .         .
TenantConnectorInstance.updatedByUser workspace                 x     x     x      x        x      .         x
TenantConnectorTap.artifact         artifacts:read            x     x     x      x        x      .         .
TenantConnectorTap.feedsTap         connectors:read           x     x     x      x        x      .         .
TenantConnectorTap.feedingTaps      connectors:read           x     x     x      x        x      .         .
TenantConnectorTap.createdByUser    workspace                 x     x     x      x        x      .         x
TenantConnectorTap.updatedByUser    workspace                 x     x     x      x        x      .         x
User.createdByUser                  workspace                 x     x     x      x        x      .         x
User.invitations                    invitations:write         x     x     .      .        .      .         .
User.updatedByUser                  workspace                 x     x     x      x        x      .         x
Workspace.createdByUser             workspace                 x     x     x      x        x      .         x
Workspace.updatedByUser             workspace                 x     x     x      x        x      .         x
`;

/** Every permission, including unused permissions. */
export const PERMISSIONS = `
permission                owner admin editor operator viewer

connectors:read           x     x     x      x        x
connectors:write          x     x     x      .        .
credentials:validate      x     x     x      x        .
credentials:read          x     x     x      x        x
artifacts:read            x     x     x      x        x
artifacts:write           x     x     x      .        .
artifacts:infer           x     x     x      .        .
artifacts:publish         x     x     x      .        .
artifacts:delete          x     x     x      .        .
connector_requests:read   x     x     x      x        x
connector_requests:write  x     x     x      x        .
connector_requests:move   x     x     .      x        .
ingest_tokens:read        x     x     x      x        x
ingest_tokens:mint        x     x     x      .        .
ingest_tokens:rotate      x     x     x      x        .
ingest_tokens:revoke      x     x     x      x        .
taps:write                x     x     x      x        .
taps:delete               x     x     x      .        .
invitations:write         x     x     .      .        .
invitations:revoke        x     x     .      .        .
catalog:read              x     x     x      x        x
contracts:write           x     x     x      .        .
syncs:read                x     x     x      x        x
syncs:write               x     x     x      x        .
sync_jobs:write           x     x     .      x        .
table_runs:write          x     x     .      x        .
api_keys:write            x     x     .      .        .
roles:write               x     x     .      .        .
workspace:write           x     x     .      .        .
audit:read                x     x     .      .        .
`;
