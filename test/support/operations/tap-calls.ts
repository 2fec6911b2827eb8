import { randomUUID } from 'node:crypto';
import { flushBatches } from '../../../src/ingest/flush-batches.js';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import { anArtifact, runInference } from '../artifacts/artifact-requests.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { queryField } from '../service/callers.js';
import type { Client, TestService } from '../service/service.js';
import { withTableServices } from '../tables/table-services.js';
import { anInboundOffer, type OperationRequest } from './connection-calls.js';

type Calls = (path: string) => Promise<OperationRequest[]>;

export const TAPS = '/api/tenant-connector-taps';

export interface Tap {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly tableName: string;
  readonly tap: { readonly id: string };
  readonly deletedAt?: string;
}

export async function tapsOf(client: Client, instanceId: string, query = ''): Promise<Tap[]> {
  return (await client.request(`${TAPS}?instanceId=${instanceId}${query}`)).body.data.items;
}

export const enabledTapsOf = async (client: Client, instanceId: string): Promise<Tap[]> =>
  (await tapsOf(client, instanceId)).filter(({ enabled }) => enabled);

export async function anInboundConnection(owner: Client): Promise<{ id: string; name: string }> {
  return (await owner.post('/api/connectors', { ...(await anInboundOffer(owner)), name: 'Hooks' })).body.data;
}

export async function anInboundTapId(owner: Client): Promise<string> {
  const [tap] = (await enabledTapsOf(owner, (await anInboundConnection(owner)).id)) as [Tap];
  return tap.id;
}

/** Loads the pushed records of the tap into its table, as the background job does. */
export async function flushTap(service: TestService, tapId: string): Promise<void> {
  const query = 'select tenant_id from tenant_connector_tap where id = $1';
  const [row] = await queryAsOwner(service, query, [decodeId(tapId)]);
  const tenantId = encodeId(row?.tenant_id);
  const job = { id: randomUUID(), attempt: 1, signal: new AbortController().signal };
  await withTableServices(service, (services) => flushBatches(services, { tenantId, tapId }, job));
}

export async function aDeletedInboundTap(owner: Client): Promise<{ instanceId: string; tapId: string }> {
  const id = await anInboundTapId(owner);
  const query = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { instance { id } tap { id } } }';
  const { instance, tap } = await queryField(owner, query, { id });
  await owner.delete(`${TAPS}/${id}`);
  return { instanceId: instance.id, tapId: tap.id };
}

export async function anInferredArtifact(owner: Client, content?: string): Promise<string> {
  const { id } = await anArtifact(owner, { ...(content && { content }) });
  await runInference(owner, id);
  return id;
}

export async function aPublishedTap(owner: Client, name = 'People'): Promise<string> {
  const { body } = await owner.post(`/api/artifacts/${await anInferredArtifact(owner)}/publish`, { name });
  return body.data.id;
}

/** Maps each operation to successful calls. Each call creates the taps and tokens that it changes. */
export function tapRequests(owner: Client): Record<string, Calls> {
  const filled = (path: string, id: string): string => path.replace(/\{\w+\}/, id);
  const taps = async () => [await anInboundTapId(owner), await aPublishedTap(owner)];
  const mint = async (tenantConnectorTapId: string): Promise<string> =>
    (await owner.post('/api/ingest-tokens', { tenantConnectorTapId })).body.data.ingestToken.id;

  return {
    tenantConnectorTaps: async (path) => {
      await taps();
      await aDeletedInboundTap(owner);
      return ['', '?limit=1&offset=1', '?limit=250', '?includeDeleted=true'].map((query) => ({
        address: path + query,
      }));
    },
    tenantConnectorTap: async (path) => (await taps()).map((id) => ({ address: filled(path, id) })),
    addTenantConnectorTap: async (address) => {
      const calls: OperationRequest[] = [];
      for (const more of [{}, { enabled: false }])
        calls.push({ address, body: { ...(await aDeletedInboundTap(owner)), ...more } });
      return calls;
    },
    updateTenantConnectorTap: async (path) =>
      (await taps()).map((id) => ({
        address: filled(path, id),
        body: { enabled: false, mode: 'append', deletedRows: 'mark', driftPolicy: 'freeze', feedsTapId: null },
      })),
    decideHeldRows: async (path) =>
      (await taps()).map((id) => ({ address: filled(path, id), body: { accept: false } })),
    decideHeldRecords: async (path) =>
      (await taps()).map((id) => ({ address: filled(path, id), body: { accept: false } })),
    deleteTenantConnectorTap: async (path) => (await taps()).map((id) => ({ address: filled(path, id) })),
    publishArtifact: async (path) => [
      { address: filled(path, await anInferredArtifact(owner)), body: { name: 'Orders' } },
    ],
    ingestTokens: async (path) => {
      const tapId = await anInboundTapId(owner);
      await mint(tapId);
      await owner.post(`/api/ingest-tokens/${await mint(tapId)}/rotate`, {});
      return ['', '&limit=1'].map((query) => ({ address: `${path}?tenantConnectorTapId=${tapId}${query}` }));
    },
    mintIngestToken: async (address) => {
      const tenantConnectorTapId = await anInboundTapId(owner);
      const expiresAt = new Date(Date.now() + 60_000).toISOString();
      return [{ tenantConnectorTapId }, { tenantConnectorTapId, expiresAt }].map((body) => ({ address, body }));
    },
    rotateIngestToken: async (path) => [{ address: filled(path, await mint(await anInboundTapId(owner))) }],
    revokeIngestToken: async (path) => [{ address: filled(path, await mint(await anInboundTapId(owner))) }],
  };
}
