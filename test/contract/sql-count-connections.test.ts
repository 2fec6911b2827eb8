import { beforeAll, describe, expect, it } from '@jest/globals';
import { aConnectedWorld, connect, validate } from '../support/connections.js';
import { multiply } from '../support/many-connections.js';
import { answerOf } from '../support/people.js';
import type { Client, Reply } from '../support/service.js';
import { tablesOf } from '../support/statements.js';
import { aWorkspace } from '../support/workspace.js';

/** Connections in each workspace. */
const WORKSPACES = { one: 1, hundred: 100, many: 500 };

const NESTED = `{
  tenantConnectorInstances(limit: 100) {
    total
    items {
      name connectionStatus connectionStatusMessage hasValidCredentials credentialErrorCode credentialMetadataId credentialStatus
      grouping { name parent { name } vendor { name groupings { slug } } connector { name taps { name } } }
      connector { name traversal { rootTaps } taps { name } supportedAuthStrategies { type } inboundAuthStrategies { label } }
      authenticationStrategy { type }
      parentDataFilters { parentTap }
      taps { name tap { name sync { mode } } instance { name } }
      credentials { status strategy { type } validations { status } }
      syncJobs { status }
    }
  }
}`;

const { service, vendor } = await aConnectedWorld();
const client = (slug: string): Client => service.as('owner', { slug });

beforeAll(async () => {
  for (const [slug, count] of Object.entries(WORKSPACES)) {
    await aWorkspace(service, slug);
    await multiply(service, await aConnection(client(slug)), count - 1);
  }
});

/** With two credential records, one of them tested, and two sync jobs. */
async function aConnection(owner: Client): Promise<string> {
  const instance = (await connect(owner, 'bearer', vendor.credentials.bearer)).body.data;
  await validate(owner, instance);
  await owner.post('/api/connectors/configure', { instanceId: instance.id, authenticationConfig: {} });
  for (const externalId of ['run 1', 'run 2']) {
    const input = { instanceId: instance.id, externalId, status: 'succeeded' };
    await answerOf(owner, 'mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) { id } }', { input });
  }
  return instance.id;
}

describe('statements per request', () => {
  it('GraphQL: as many for 100 deeply nested connections as for 1', async () => {
    const { items } = await answerOf(client('hundred'), NESTED);
    expect(items).toHaveLength(100);
    expect(items.at(-1)).toMatchObject({
      ...{ taps: [{ tap: { name: 'comments' } }, { tap: { name: 'records' } }], syncJobs: [{}, {}] },
      credentials: [{ validations: [] }, { validations: [{ status: 'valid' }] }],
    });
    const one = await tablesOf(() => client('one').graphql(NESTED));
    const hundred = await tablesOf(() => client('hundred').graphql(NESTED));
    expect([...new Set(hundred)]).toEqual([...new Set(one)]);
    // Taps are asked for by connector and by id; where the first answer comes early enough, it holds the second.
    expect(Math.max(one.length, hundred.length)).toBeLessThanOrEqual(17);
  });

  it('REST: as many for the longest list of connections to a vendor, 500, as for 1', async () => {
    const list = (slug: string): Promise<Reply> =>
      client(slug).request('/api/vendors/tenant-connector-instances-for-vendors/loopback');
    expect((await list('many')).body.data).toHaveLength(500);
    const one = await tablesOf(() => list('one'));
    expect(await tablesOf(() => list('many'))).toEqual(one);
    expect(one.length).toBeLessThanOrEqual(13);
  });

  it('GraphQL: none for what to do about a credential that is valid', async () => {
    const question = '{ tenantConnectorInstances { items { credentialMetadataId connectionStatus } } }';
    const { items } = await answerOf(client('one'), question);
    await validate(client('one'), items[0]);
    const tables = await tablesOf(() => client('one').graphql(question));
    expect(tables).toContain('credential_metadata');
    expect(tables).not.toContain('connector_auth_strategy');
  });

  it('REST: as many for a credential that was tested often as for one that was tested once', async () => {
    const { items } = await answerOf(
      client('one'),
      '{ tenantConnectorInstances { items { id credentialMetadataId } } }',
    );
    const [{ id, credentialMetadataId }] = items;
    const detail = () => client('one').request(`/api/vendors/tenant-connector-credential-detail?instanceId=${id}`);
    const before = await tablesOf(detail);
    for (let tests = 0; tests < 3; tests++) await validate(client('one'), { credentialMetadataId });
    expect(await tablesOf(detail)).toEqual(before);
    expect(before.length).toBeLessThanOrEqual(4);
  });
});
