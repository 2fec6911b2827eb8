import { expect } from 'vitest';
import { aToken } from '../ingest/ingest-tokens.js';
import type { Client } from '../service/service.js';
import type { AuditedChange } from './audited-connections.js';
import { aDeletedInboundTap, anInferredArtifact, aPublishedTap } from './tap-calls.js';

const ID = expect.stringMatching(/^[0-9A-Za-z]{22}$/);
const PREFIX = expect.stringMatching(/^wit_[0-9A-Za-z]{8}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export function auditedTapChanges(owner: Client): Record<string, AuditedChange> {
  const ofTap = (query: string): AuditedChange['prepare'] => {
    return async () => ({ query, variables: { id: await aPublishedTap(owner) } });
  };
  const ofToken = (query: string): AuditedChange['prepare'] => {
    return async () => {
      const { ingestToken } = await aToken(owner, await aPublishedTap(owner));
      return { query, variables: { id: ingestToken.id } };
    };
  };
  return {
    publishArtifact: {
      ...{ action: 'artifact.published', objectType: 'Artifact', hasUnknownObjectId: true },
      details: { name: 'Orders', tableName: expect.stringMatching(/^orders/), tapId: ID },
      prepare: async () => ({
        query: 'mutation ($id: Base62Id!) { publishArtifact(artifactId: $id, name: " Orders ") { id } }',
        variables: { id: await anInferredArtifact(owner) },
      }),
    },
    addTenantConnectorTap: {
      ...{
        action: 'connector_tap.added',
        objectType: 'TenantConnectorTap',
        details: { enabled: true },
        hasUnknownObjectId: true,
      },
      prepare: async () => {
        const { instanceId, tapId: id } = await aDeletedInboundTap(owner);
        const query =
          'mutation ($id: Base62Id!, $instanceId: Base62Id!) { addTenantConnectorTap(instanceId: $instanceId, tapId: $id) { id } }';
        return { query, variables: { id, instanceId } };
      },
    },
    updateTenantConnectorTap: {
      ...{ action: 'connector_tap.updated', objectType: 'TenantConnectorTap' },
      details: { enabled: false, mode: 'append', deletedRows: 'mark', driftPolicy: 'freeze' },
      prepare: ofTap(
        'mutation ($id: Base62Id!) { updateTenantConnectorTap(id: $id, enabled: false, mode: append, deletedRows: mark, driftPolicy: freeze) { id } }',
      ),
    },
    decideHeldRows: {
      ...{ action: 'connector_tap.held_rows_discarded', objectType: 'TenantConnectorTap', details: null },
      prepare: ofTap('mutation ($id: Base62Id!) { decideHeldRows(id: $id, accept: false) { id } }'),
    },
    decideHeldRecords: {
      ...{ action: 'connector_tap.held_records_refused', objectType: 'TenantConnectorTap' },
      details: { records: 0, columns: [] },
      prepare: ofTap('mutation ($id: Base62Id!) { decideHeldRecords(id: $id, accept: false) { id } }'),
    },
    deleteTenantConnectorTap: {
      ...{ action: 'connector_tap.deleted', objectType: 'TenantConnectorTap', details: null },
      prepare: ofTap('mutation ($id: Base62Id!) { deleteTenantConnectorTap(id: $id) }'),
    },
    mintIngestToken: {
      ...{ action: 'ingest_token.minted', objectType: 'IngestToken', details: { tapId: ID, prefix: PREFIX } },
      hasUnknownObjectId: true,
      prepare: ofTap('mutation ($id: Base62Id!) { mintIngestToken(tenantConnectorTapId: $id) { ingestToken { id } } }'),
    },
    rotateIngestToken: {
      ...{ action: 'ingest_token.rotated', objectType: 'IngestToken', hasUnknownObjectId: true },
      details: { tapId: ID, expiresAt: TIME, replacedBy: ID },
      prepare: ofToken('mutation ($id: Base62Id!) { rotateIngestToken(id: $id) { ingestToken { id } } }'),
    },
    revokeIngestToken: {
      ...{ action: 'ingest_token.revoked', objectType: 'IngestToken', details: { tapId: ID, prefix: PREFIX } },
      prepare: ofToken('mutation ($id: Base62Id!) { revokeIngestToken(id: $id) }'),
    },
  };
}
