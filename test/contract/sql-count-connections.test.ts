import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeId } from '../../src/kernel/ids.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { captureTableReads } from '../support/database/captured-statements.js';
import { cloneConnection, copyStatement, NEW_ID_COLUMN } from '../support/database/clone-connections.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { WorkspaceFixtures } from '../support/isolation/workspace-fixtures.js';
import { parentsIn } from '../support/lists/list-parents.js';
import { nestedPageQuery } from '../support/lists/nested-page.js';
import { nestedLists } from '../support/lists/schema-lists.js';
import { queryField } from '../support/service/callers.js';
import type { Client, Reply } from '../support/service/service.js';
import { createTestWorkspace } from '../support/service/test-workspace.js';
import { aConnectedWorkspace, connect, validateCredential } from '../support/sources/connected-workspace.js';
import { fillTables } from '../support/tables/table-services.js';
import { VENDOR_SLUG } from '../support/vendors/fake-vendor-definitions.js';

const WORKSPACES = { one: 1, hundred: 100, many: 1_200, over: 1 };

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

const DOCUMENTATION = readFileSync(join(PROJECT_ROOT, 'docs', 'graphql.md'), 'utf8');
const VENDOR_OVERVIEW = /^query VendorOverview.*?^}/ms.exec(DOCUMENTATION)?.[0] as string;

const connected = await aConnectedWorkspace({});
const { service, vendor } = connected;
const client = (slug: string): Client => service.as('owner', { slug });

beforeAll(async () => {
  for (const [slug, count] of Object.entries(WORKSPACES)) {
    await createTestWorkspace(service, slug);
    await cloneConnection(service, await aConnection(client(slug)), count - 1);
  }
  const make = new WorkspaceFixtures(client('hundred'), 'hundred', connected);
  const taps: string[] = [];
  for (let made = 0; made < 2; made++) {
    await make.invitation();
    await make.connectorRequest();
    taps.push(await make.tables.publishedTap());
  }
  await fillTables(service, taps);
});

/** Creates a connection with two credential records, one of them tested, and two sync jobs. */
async function aConnection(owner: Client): Promise<string> {
  const instance = (await connect(owner, 'bearer', vendor.credentials.bearer)).body.data;
  await validateCredential(owner, instance);
  await owner.post('/api/connectors/configure', { instanceId: instance.id, authenticationConfig: {} });
  for (const externalId of ['run 1', 'run 2']) {
    const input = { instanceId: instance.id, externalId, status: 'succeeded' };
    await queryField(owner, 'mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) { id } }', { input });
  }
  return instance.id;
}

/** Omits the lookup of the workspace, which the service caches for a few seconds. */
const readBy = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await captureTableReads(work)).filter((table) => table !== 'workspace');

describe('statements per request', () => {
  it('GraphQL: the same number for 100 deeply nested connections as for 1', async () => {
    const { items } = await queryField(client('hundred'), NESTED);
    expect(items).toHaveLength(100);
    expect(items.at(-1)).toMatchObject({
      ...{ taps: [{ tap: { name: 'comments' } }, { tap: { name: 'records' } }], syncJobs: [{}, {}] },
      credentials: [{ validations: [] }, { validations: [{ status: 'valid' }] }],
    });
    const one = await readBy(() => client('one').graphql(NESTED));
    const hundred = await readBy(() => client('hundred').graphql(NESTED));
    // Compares sets: the service loads taps by connector and by id, and the second lookup needs no statement if the
    // first result arrives early enough.
    expect([...new Set(hundred)]).toEqual([...new Set(one)]);
    expect(Math.max(one.length, hundred.length)).toBeLessThanOrEqual(17);
  });

  it('GraphQL: the same number for the vendor overview of the documentation with 100 connections as with 1', async () => {
    const variables = { slug: VENDOR_SLUG };
    const { allGroupings } = await queryField(client('hundred'), VENDOR_OVERVIEW, variables);
    const instances = allGroupings.flatMap((grouping: { instances: object[] }) => grouping.instances);
    expect(instances).toHaveLength(100);
    expect(instances.at(-1)).toMatchObject({
      ...{ connectionStatus: expect.any(String), credentials: [{}, { validations: [{ status: 'valid' }] }] },
      taps: [{ name: 'comments' }, { name: 'records' }],
    });
    await client('hundred').graphql(VENDOR_OVERVIEW, variables); // The service compiles a query at its second request.
    const one = await readBy(() => client('one').graphql(VENDOR_OVERVIEW, variables));
    expect(await readBy(() => client('hundred').graphql(VENDOR_OVERVIEW, variables))).toEqual(one);
    expect(one.length).toBeLessThanOrEqual(17);
  });

  it.each(nestedLists.map((list) => [`${list.on}.${list.name}`, list] as const))(
    'GraphQL: a page of %s: the same number for many objects as for one',
    async (_, list) => {
      const [one, many] = [nestedPageQuery(list, 1), nestedPageQuery(list, 40)];
      const parents: number[] = [];
      for (const query of [one, many]) {
        const { body } = await client('hundred').graphql(query);
        expect(body.errors).toBeUndefined();
        parents.push(parentsIn(list.on, body.data).length);
      }
      expect(parents[0]).toBeGreaterThan(0);
      expect(parents[1]).toBeGreaterThan(parents[0] as number);
      const reads = await readBy(() => client('hundred').graphql(one));
      expect(await readBy(() => client('hundred').graphql(many))).toEqual(reads);
      expect(reads.length).toBeLessThanOrEqual(5);
    },
  );

  const listOf = (slug: string, query = ''): Promise<Reply> =>
    client(slug).request(`/api/vendors/tenant-connector-instances-for-vendors/loopback${query}`);

  it('REST: the same number for 1,200 connections to a vendor, all of them in one list, as for 1', async () => {
    const { data, meta, links } = (await listOf('many')).body;
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(1_200);
    expect([meta.totalCount, links]).toEqual([1_200, undefined]);
    const one = await readBy(() => listOf('one'));
    expect(await readBy(() => listOf('many'))).toEqual(one);
    expect(one.length).toBeLessThanOrEqual(14);
  });

  it('REST: the same list in pages with links if a limit is given', async () => {
    const all = (await listOf('many')).body.data.map(({ id }: { id: string }) => id);
    const { data, meta, links } = (await listOf('many', '?limit=250&offset=1000')).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(all.slice(1_000));
    expect([meta.totalCount, links.next, links.prev]).toEqual([1_200, null, expect.stringContaining('offset=750')]);
    const rest = (await listOf('many', '?offset=1190')).body;
    expect([rest.data.length, rest.meta.totalCount, rest.links]).toEqual([10, 1_200, undefined]);
    expect((await listOf('many', '?limit=251')).status).toBe(400);
  });

  it('REST: a complete list of connections with many taps, and none beyond 5,000 connections', async () => {
    // 1,200 connections with 42 taps each have 50,400 taps, which exceed the usual row budget of 50,000 rows.
    await queryAsOwner(
      service,
      copyStatement(
        'tenant_connector_tap',
        `tenant_connector_instance i, workspace w, generate_series(1, 20)
         where i.id = "row".instance_id and w.id = i.tenant_id and w.slug = 'many'`,
        `${NEW_ID_COLUMN}, 'tap_id', null, 'table_name', gen_random_uuid()`,
      ),
    );
    expect((await listOf('many')).body.data).toHaveLength(1_200);
    const [{ id }] = (await listOf('over')).body.data;
    const copies = `generate_series(1, 5000) where "row".id = '${decodeId(id)}'`;
    await queryAsOwner(
      service,
      copyStatement('tenant_connector_instance', copies, `${NEW_ID_COLUMN}, 'credential_id', null`),
    );
    const { status, body } = await listOf('over');
    expect([status, body.error]).toEqual([
      ...[400, 'BAD_REQUEST: The list has more than 5,000 items. Request pages with limit and offset.'],
    ]);
    expect((await listOf('over', '?limit=1')).body.meta.totalCount).toBe(5_001);
  });

  it('GraphQL: none for the remediation of a valid credential', async () => {
    const query = '{ tenantConnectorInstances { items { credentialMetadataId connectionStatus } } }';
    const { items } = await queryField(client('one'), query);
    await validateCredential(client('one'), items[0]);
    const tables = await captureTableReads(() => client('one').graphql(query));
    expect(tables).toContain('credential_metadata');
    expect(tables).not.toContain('connector_auth_strategy');
  });

  it('REST: the same number for a credential with many tests as for one with a single test', async () => {
    const { items } = await queryField(
      client('one'),
      '{ tenantConnectorInstances { items { id credentialMetadataId } } }',
    );
    const [{ id, credentialMetadataId }] = items;
    const detail = () => client('one').request(`/api/vendors/tenant-connector-credential-detail?instanceId=${id}`);
    const before = await captureTableReads(detail);
    for (let tests = 0; tests < 3; tests++) await validateCredential(client('one'), { credentialMetadataId });
    expect(await captureTableReads(detail)).toEqual(before);
    expect(before.length).toBeLessThanOrEqual(4);
  });
});
