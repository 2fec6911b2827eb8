import type { IsolationCase } from './isolation-cases.js';
import { aPage, hasId, idVariable, isNonEmptyPage, isTrue } from './response-predicates.js';
import type { IsolationWorkspace, ObjectKind } from './workspace-fixtures.js';

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

const isStarted = ({ authorizeUrl, state }: Data) => new URL(authorizeUrl).searchParams.get('state') === state;
const aConnection = ({ make }: IsolationWorkspace) => make.connections.connection();
const configOf = ({ make }: IsolationWorkspace) => ({ authenticationConfig: make.connections.authenticationConfig });
const CONFIGURE = 'post /api/connectors/configure';
const START = 'post /api/connectors/connector-oauth-start';

function aCreation(place: string, kind: ObjectKind): IsolationCase {
  return {
    ...{ names: kind, rest: 'post /api/connectors', isRepeated: true },
    variables: (id, ours) => {
      const { connector: connectorId, grouping: groupingId, strategy: authenticationStrategyId } = ours.live;
      return { connectorId, groupingId, authenticationStrategyId, ...configOf(ours), [place]: id };
    },
    fits: ({ grouping, connector, authenticationStrategy }, id) =>
      [grouping, connector, authenticationStrategy].some((part) => part.id === id),
  };
}

const OF_CONNECTION = '/api/vendors/tenant-connector-instances/{instanceId}';

export const CONNECTION_CASES: Record<string, IsolationCase> = {
  tenantConnectorInstances: {
    rest: 'get /api/vendors/tenant-connector-instances',
    variables: aPage,
    fits: isNonEmptyPage,
  },
  'tenantConnectorInstancesForVendor.vendorSlug': {
    ...{ names: 'vendor', rest: 'get /api/vendors/tenant-connector-instances-for-vendors/{vendorSlug}' },
    variables: (vendorSlug) => ({ vendorSlug }),
    fits: (instances, _, { live }) => instances.some((one: Data) => one.id === live.instance),
    ...{ missing: '[]', malformed: '[]', otherwise: '[]' },
  },
  'tenantConnectorInstancesForVendorCount.vendorSlug': {
    ...{ names: 'vendor', missing: 'ok', malformed: 'ok', otherwise: 'ok', selection: '' },
    variables: (vendorSlug) => ({ vendorSlug }),
    fits: (count) => count > 0,
  },
  'tenantConnectorInstance.id': {
    ...{
      names: 'instance',
      rest: 'get /api/vendors/tenant-connector-instances/{id}',
      variables: idVariable,
      fits: hasId,
    },
    ...{ missing: 'null', ended: 'null' },
  },
  'syncJobs.instanceId': {
    ...{ names: 'instance', rest: 'get /api/vendors/tenant-connector-instances/{instanceId}/syncs' },
    ...{ variables: (instanceId) => ({ instanceId }), fits: ({ offset }) => offset === 0, ended: 'NOT_FOUND' },
  },
  'tenantConnectorCredentialDetail.credentialMetadataId': {
    ...{ names: 'credential', rest: 'get /api/vendors/tenant-connector-credential-detail', missing: 'null' },
    variables: (credentialMetadataId) => ({ credentialMetadataId }),
    fits: ({ credentialMetadataId }, id) => credentialMetadataId === id,
  },
  'tenantConnectorCredentialDetail.instanceId': {
    ...{ names: 'instance', rest: 'get /api/vendors/tenant-connector-credential-detail' },
    variables: (instanceId) => ({ instanceId }),
    fits: ({ instanceId }, id) => instanceId === id,
    ...{ missing: 'null', ended: 'null' },
  },
  'createConnectorInstance.connectorId': aCreation('connectorId', 'connector'),
  'createConnectorInstance.groupingId': aCreation('groupingId', 'grouping'),
  'createConnectorInstance.authenticationStrategyId': aCreation('authenticationStrategyId', 'strategy'),
  'configureConnectorInstance.instanceId': {
    ...{ names: 'instance', rest: CONFIGURE, fits: hasId, ended: 'NOT_FOUND' },
    variables: (instanceId, ours) => ({ instanceId, ...configOf(ours) }),
  },
  'configureConnectorInstance.authenticationStrategyId': {
    ...{ names: 'strategy', rest: CONFIGURE, other: aConnection, isRepeated: true },
    variables: (authenticationStrategyId, ours, instanceId) => ({
      ...{ instanceId, authenticationStrategyId, ...configOf(ours) },
    }),
    fits: ({ authenticationStrategy }, id) => authenticationStrategy.id === id,
  },
  'configureConnectorInstance.credentialMetadataId': {
    ...{ names: 'credential', rest: CONFIGURE },
    variables: (credentialMetadataId, { make, live }) => {
      const instanceId = make.connections.instanceOf(credentialMetadataId) ?? live.instance;
      return { instanceId, credentialMetadataId, authenticationConfig: {} };
    },
    fits: ({ credentialStatus, credentialMetadataId }, id) =>
      credentialStatus === 'pending' && credentialMetadataId !== id,
    ...{ missing: 'CONFLICT', ended: 'CONFLICT' },
  },
  'updateConnectorInstance.id': {
    ...{ names: 'instance', rest: 'patch /api/vendors/tenant-connector-instances/{id}', fits: hasId },
    variables: (id, { make }) => ({ id, name: make.text() }),
    ended: 'NOT_FOUND',
  },
  'deleteConnectorInstance.id': {
    ...{ names: 'instance', rest: 'delete /api/vendors/tenant-connector-instances/{id}', variables: idVariable },
    ...{ fits: isTrue, ended: 'NOT_FOUND' },
  },
  'connectorOauthStart.instanceId': {
    ...{ names: 'instance', rest: START, ended: 'NOT_FOUND' },
    variables: (instanceId) => ({ instanceId }),
    fits: isStarted,
  },
  'connectorOauthStart.authenticationStrategyId': {
    ...{ names: 'strategy', rest: START, other: aConnection, fits: isStarted, isRepeated: true },
    variables: (authenticationStrategyId, _, instanceId) => ({ instanceId, authenticationStrategyId }),
  },
  'connectorOauthComplete.state': {
    ...{ names: 'state', rest: 'post /api/connectors/connector-oauth-complete' },
    variables: (state, { make }) => make.connections.completionOf(state),
    fits: ({ validation }) => validation.status === 'valid',
    ...{ missing: 'OAUTH_STATE_INVALID', ended: 'OAUTH_STATE_INVALID', malformed: 'OAUTH_STATE_INVALID' },
  },
  'validateCredentials.credentialMetadataId': {
    ...{ names: 'credential', rest: 'post /api/connectors/validate', ended: 'CONFLICT' },
    variables: (credentialMetadataId) => ({ credentialMetadataId }),
    fits: ({ status }) => status === 'valid',
  },
  'sync.id': {
    ...{ names: 'sync', rest: 'get /api/syncs/{id}', variables: idVariable, fits: hasId },
    ...{ missing: 'null', ended: 'null' },
  },
  'syncTimeline.id': {
    ...{ names: 'sync', rest: 'get /api/syncs/{id}/timeline', variables: idVariable },
    fits: (runs) => Array.isArray(runs),
    ...{ missing: 'null', ended: 'null' },
  },
  'cancelSync.id': {
    ...{ names: 'sync', rest: 'post /api/syncs/{id}/cancel', variables: idVariable, fits: hasId },
    ended: 'NOT_FOUND',
  },
  'startSync.instanceId': {
    ...{ names: 'instance', rest: `post ${OF_CONNECTION}/syncs`, ended: 'NOT_FOUND' },
    variables: (instanceId) => ({ instanceId }),
    fits: ({ trigger }) => trigger === 'manual',
  },
  'startSync.tapIds': {
    ...{ names: 'syncedTap', rest: `post ${OF_CONNECTION}/syncs` },
    variables: (id, { live }) => ({ instanceId: live.syncedInstance, tapIds: [id] }),
    fits: ({ trigger }) => trigger === 'manual',
  },
  'syncSchedule.instanceId': {
    ...{ names: 'instance', rest: `get ${OF_CONNECTION}/schedule`, missing: 'null', ended: 'null' },
    variables: (instanceId) => ({ instanceId }),
    fits: ({ kind }) => kind === 'interval',
  },
  'setSyncSchedule.instanceId': {
    ...{ names: 'instance', rest: `put ${OF_CONNECTION}/schedule`, ended: 'NOT_FOUND' },
    variables: (instanceId) => ({ instanceId, kind: 'interval' }),
    fits: ({ intervalMinutes }) => intervalMinutes === 360,
  },
  'tryTap.instanceId': {
    ...{ names: 'instance', rest: `post ${OF_CONNECTION}/try`, ended: 'NOT_FOUND' },
    variables: (instanceId) => ({ instanceId, tap: 'records' }),
    fits: ({ requests }) => Array.isArray(requests),
  },
  'discoverObjects.instanceId': {
    ...{ names: 'instance', rest: `post ${OF_CONNECTION}/objects`, ended: 'NOT_FOUND' },
    variables: (instanceId) => ({ instanceId }),
    fits: ({ objects }) => Array.isArray(objects),
  },
  'recordSyncJob.input.instanceId': {
    names: 'instance',
    variables: (instanceId, { make }) => ({ input: { instanceId, externalId: make.text(), status: 'running' } }),
    fits: ({ status, isInitial }) => status === 'running' && isInitial === true,
    ended: 'NOT_FOUND',
  },
};
