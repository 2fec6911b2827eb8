import { anArtifact, runInference } from '../artifacts/artifact-requests.js';
import { queryField } from '../service/callers.js';
import type { Client } from '../service/service.js';
import { anInboundOffer, type OperationRequest } from './connection-calls.js';

type Calls = (path: string) => Promise<OperationRequest[]>;

/** A tap of a connection that records are pushed to; its id. */
export async function anInboundTapId(owner: Client): Promise<string> {
  const { body } = await owner.post('/api/connectors', await anInboundOffer(owner));
  const taps = await queryField(
    owner,
    'query ($id: Base62Id!) { tenantConnectorTaps(instanceId: $id) { items { id } } }',
    {
      id: body.data.id,
    },
  );
  return taps.items[0].id;
}

/** Says which tap of which connection was deleted. */
export async function aDeletedInboundTap(owner: Client): Promise<{ instanceId: string; tapId: string }> {
  const id = await anInboundTapId(owner);
  const question = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { instance { id } tap { id } } }';
  const { instance, tap } = await queryField(owner, question, { id });
  await owner.request(`/api/tenant-connector-taps/${id}`, { method: 'DELETE' });
  return { instanceId: instance.id, tapId: tap.id };
}

/** A CSV file whose types are known; its id. */
export async function anInferredArtifact(owner: Client, content?: string): Promise<string> {
  const { id } = await anArtifact(owner, { ...(content && { content }) });
  await runInference(owner, id);
  return id;
}

/** A tap that was published from a file; its id. */
export async function aPublishedTap(owner: Client, name = 'People'): Promise<string> {
  const { body } = await owner.post(`/api/artifacts/${await anInferredArtifact(owner)}/publish`, { name });
  return body.data.id;
}

/** Calls that succeed, for every operation on taps and their ingest tokens: each makes anew what it uses up. */
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
      (await taps()).map((id) => ({ address: filled(path, id), body: { enabled: false } })),
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
