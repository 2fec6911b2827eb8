import type { IsolationCase } from './isolation-cases.js';
import { hasId, idVariable, isNonEmptyPage, isTrue } from './response-predicates.js';

export const TABLE_CASES: Record<string, IsolationCase> = {
  'tenantConnectorTaps.instanceId': {
    ...{ names: 'instance', rest: 'get /api/tenant-connector-taps', missing: 'ok' },
    ...{ isRepeated: true, variables: (instanceId) => ({ instanceId }) },
    fits: isNonEmptyPage,
  },
  'tenantConnectorTap.id': {
    ...{ names: 'tap', rest: 'get /api/tenant-connector-taps/{id}', variables: idVariable, fits: hasId },
    ...{ missing: 'null', ended: 'null' },
  },
  'addTenantConnectorTap.instanceId': {
    ...{ names: 'incompleteInstance', rest: 'post /api/tenant-connector-taps', ended: 'NOT_FOUND' },
    variables: (instanceId, { live }) => ({ instanceId, tapId: live.connectorTap }),
    fits: ({ tap }, _, { live }) => tap.id === live.connectorTap,
  },
  'addTenantConnectorTap.tapId': {
    ...{
      names: 'connectorTap',
      rest: 'post /api/tenant-connector-taps',
      other: ({ make }) => make.incompleteInstance(),
    },
    variables: (tapId, _, instanceId) => ({ tapId, instanceId }),
    fits: ({ tap }, id) => tap.id === id,
  },
  'updateTenantConnectorTap.id': {
    ...{ names: 'tap', rest: 'patch /api/tenant-connector-taps/{id}', ended: 'NOT_FOUND' },
    variables: (id) => ({ id, enabled: false }),
    fits: (tap, id) => hasId(tap, id) && tap.enabled === false,
  },
  'updateTenantConnectorTap.feedsTapId': {
    ...{ names: 'tap', rest: 'patch /api/tenant-connector-taps/{id}', ended: 'NOT_FOUND' },
    other: ({ make }) => make.tables.tap(),
    variables: (feedsTapId, _, id) => ({ id, feedsTapId }),
    fits: (tap, id) => tap.feedsTapId === id,
  },
  'resetTenantConnectorTap.id': {
    ...{ names: 'tap', rest: 'post /api/tenant-connector-taps/{id}/reset', variables: idVariable, ended: 'NOT_FOUND' },
    fits: (tap, id) => hasId(tap, id),
  },
  'decideHeldRows.id': {
    ...{ names: 'tap', rest: 'post /api/tenant-connector-taps/{id}/held-rows', ended: 'NOT_FOUND' },
    variables: (id) => ({ id, accept: false }),
    fits: hasId,
  },
  'decideHeldRecords.id': {
    ...{ names: 'tap', rest: 'post /api/tenant-connector-taps/{id}/held-records', ended: 'NOT_FOUND' },
    variables: (id) => ({ id, accept: false }),
    fits: hasId,
  },
  'deleteTenantConnectorTap.id': {
    ...{ names: 'tap', rest: 'delete /api/tenant-connector-taps/{id}', variables: idVariable },
    ...{ fits: isTrue, ended: 'NOT_FOUND' },
  },
  'publishArtifact.artifactId': {
    ...{ names: 'inferredArtifact', rest: 'post /api/artifacts/{artifactId}/publish', ended: 'NOT_FOUND' },
    variables: (artifactId, { make }) => ({ artifactId, name: make.text() }),
    fits: ({ publication }) => publication.status === 'queued',
  },
  'checkArtifactColumns.artifactId': {
    ...{
      names: 'inferredArtifact',
      ended: 'NOT_FOUND',
      fits: ({ rows, rejectedRows }) => rows > 0 && rejectedRows === 0,
    },
    variables: (artifactId) => ({ artifactId, columns: [] }),
  },
  'ingestTokens.tenantConnectorTapId': {
    ...{ names: 'tap', rest: 'get /api/ingest-tokens', ended: 'NOT_FOUND', fits: ({ total }) => total === 0 },
    variables: (tenantConnectorTapId) => ({ tenantConnectorTapId }),
  },
  'mintIngestToken.tenantConnectorTapId': {
    ...{ names: 'tap', rest: 'post /api/ingest-tokens', ended: 'NOT_FOUND' },
    variables: (tenantConnectorTapId) => ({ tenantConnectorTapId }),
    fits: ({ token, ingestToken }, id) =>
      token.startsWith(ingestToken.prefix) && ingestToken.tenantConnectorTapId === id,
  },
  'rotateIngestToken.id': {
    ...{ names: 'ingestToken', rest: 'post /api/ingest-tokens/{id}/rotate', variables: idVariable, ended: 'CONFLICT' },
    fits: ({ token, ingestToken }, id) => token.startsWith(ingestToken.prefix) && ingestToken.id !== id,
  },
  'revokeIngestToken.id': {
    ...{ names: 'ingestToken', rest: 'delete /api/ingest-tokens/{id}', variables: idVariable, fits: isTrue },
  },
  'catalogTable.id': {
    ...{ names: 'table', rest: 'get /api/catalog/tables/{id}', variables: idVariable, fits: hasId },
    ...{ missing: 'null', ended: 'null' },
  },
  'catalogTableFiles.id': {
    ...{ names: 'table', rest: 'get /api/catalog/tables/{id}/files', variables: idVariable, ended: 'NOT_FOUND' },
    fits: isNonEmptyPage,
  },
  'catalogTableVersions.id': {
    ...{ names: 'table', rest: 'get /api/catalog/tables/{id}/versions', variables: idVariable, ended: 'NOT_FOUND' },
    fits: isNonEmptyPage,
  },
  'catalogTableSchemaChanges.id': {
    ...{
      names: 'table',
      rest: 'get /api/catalog/tables/{id}/schema-changes',
      variables: idVariable,
      ended: 'NOT_FOUND',
    },
    fits: isNonEmptyPage,
  },
  'catalogTableRows.id': {
    ...{ names: 'table', rest: 'get /api/catalog/tables/{id}/rows', variables: idVariable, ended: 'NOT_FOUND' },
    fits: (rows, _, { make }) => make.written.some((text) => JSON.stringify(rows).includes(text)),
  },
};
