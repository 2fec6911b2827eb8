import type { Client } from '../service/service.js';
import { type ConnectedWorkspace, connect } from '../sources/connected-workspace.js';
import type { OperationRequest } from './connection-calls.js';
import { type Tap, tapsOf } from './tap-calls.js';

type Calls = (path: string) => Promise<OperationRequest[]>;

/** Maps each operation to successful calls. */
export function syncRequests({ vendor }: ConnectedWorkspace, owner: Client): Record<string, Calls> {
  const filled = (path: string, id: string) => path.replace(/\{\w+\}/, id);
  const aConnection = async (): Promise<string> =>
    (await connect(owner, 'bearer', vendor.credentials.bearer)).body.data.id;
  const aSync = async (): Promise<string> => {
    const path = `/api/vendors/tenant-connector-instances/${await aConnection()}/syncs`;
    return (await owner.post(path, {})).body.data.id;
  };
  return {
    startSync: async (path) => {
      const bodies = [{}, { mode: 'resync' }];
      return Promise.all(bodies.map(async (body) => ({ address: filled(path, await aConnection()), body })));
    },
    sync: async (path) => [{ address: filled(path, await aSync()) }],
    syncTimeline: async (path) => [{ address: filled(path, await aSync()) }],
    cancelSync: async (path) => [{ address: filled(path, await aSync()), body: {} }],
    resetTenantConnectorTap: async (path) => {
      const [tap] = (await tapsOf(owner, await aConnection())) as [Tap];
      return [{ address: filled(path, tap.id), body: {} }];
    },
    setSyncSchedule: async (path) => {
      const address = filled(path, await aConnection());
      const cron = { kind: 'cron', cron: '0 6 * * *', quietFrom: '22:00', quietUntil: '05:00' };
      return [{ kind: 'interval' }, cron, { kind: 'manual' }].map((body) => ({ address, body }));
    },
    syncSchedule: async (path) => {
      const id = await aConnection();
      await owner.graphql('mutation ($id: Base62Id!) { setSyncSchedule(instanceId: $id, kind: interval) { id } }', {
        id,
      });
      return [{ address: filled(path, id) }];
    },
    tryTap: async (path) => {
      const address = filled(path, await aConnection());
      const bodies = [{ tap: 'records' }, { tap: 'comments' }, { tap: 'objects', objectName: 'Visit__c' }];
      return bodies.map((body) => ({ address, body }));
    },
    discoverObjects: async (path) => [{ address: filled(path, await aConnection()), body: {} }],
  };
}
