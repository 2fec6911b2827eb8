import type { Client } from '../service/service.js';
import { type ConnectedWorkspace, connect } from '../sources/connected-workspace.js';
import type { AuditedChange } from './audited-connections.js';
import { type Tap, tapsOf } from './tap-calls.js';

export function auditedSyncChanges({ vendor }: ConnectedWorkspace, owner: Client): Record<string, AuditedChange> {
  const aConnection = async (): Promise<string> =>
    (await connect(owner, 'bearer', vendor.credentials.bearer)).body.data.id;
  const ofConnection = (field: string): AuditedChange['prepare'] => {
    return async () => ({ query: `mutation ($id: Base62Id!) { ${field} }`, variables: { id: await aConnection() } });
  };
  return {
    startSync: {
      ...{ action: 'sync.started', objectType: 'SyncJob', details: { trigger: 'manual' } },
      prepare: ofConnection('startSync(instanceId: $id) { id }'),
    },
    cancelSync: {
      ...{ action: 'sync.cancelled', objectType: 'SyncJob', details: null },
      prepare: async () => {
        const { query, variables } = await ofConnection('startSync(instanceId: $id) { id }')();
        const { id } = (await owner.graphql(query, variables)).body.data.startSync;
        return { query: 'mutation ($id: Base62Id!) { cancelSync(id: $id) { id } }', variables: { id } };
      },
    },
    resetTenantConnectorTap: {
      ...{ action: 'connector_tap.reset', objectType: 'TenantConnectorTap', details: null },
      prepare: async () => {
        const [tap] = (await tapsOf(owner, await aConnection())) as [Tap];
        const query = 'mutation ($id: Base62Id!) { resetTenantConnectorTap(id: $id) { id } }';
        return { query, variables: { id: tap.id } };
      },
    },
    setSyncSchedule: {
      ...{ action: 'sync_schedule.set', objectType: 'SyncSchedule', details: { kind: 'manual' } },
      prepare: ofConnection('setSyncSchedule(instanceId: $id, kind: manual) { id }'),
    },
    tryTap: {
      ...{
        action: 'tap.tried',
        objectType: 'TenantConnectorInstance',
        details: { tap: 'objects', objectName: 'Visit__c' },
      },
      prepare: ofConnection('tryTap(instanceId: $id, tap: "objects", objectName: "Visit__c") { recordCount }'),
    },
    discoverObjects: {
      ...{ action: 'objects.listed', objectType: 'TenantConnectorInstance', details: { tap: 'objects' } },
      prepare: ofConnection('discoverObjects(instanceId: $id) { tapId }'),
    },
  };
}
