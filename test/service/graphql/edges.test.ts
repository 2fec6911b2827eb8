import { beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_USER_ID } from '../../../src/kernel/ids.js';
import { waitUntil } from '../../support/database/test-jobs.js';
import { anApiKeyClient, aRole, queryField, userIdOf } from '../../support/service/callers.js';
import { aConnectedWorkspace, connect, validateCredential } from '../../support/sources/connected-workspace.js';
import { startSyncOf } from '../../support/syncs/start-sync-of.js';
import { publishFile, waitForPublication } from '../../support/tables/publish-file.js';
import { VENDOR_SLUG } from '../../support/vendors/fake-vendor-definitions.js';
import { RECORDS } from '../../support/vendors/fake-vendor-server.js';

const { service, vendor } = await aConnectedWorkspace({ JOBS: 'on' });
const owner = service.as('owner');
// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let instance: any;

const OVERVIEW = `query ($id: Base62Id!) { tenantConnectorTap(id: $id) {
        id
        artifact { taps { id } attributedTap { id } }
        publication { tap { id } artifact { taps { id } } }
        table {
          id tap { id } files { table { id } }
          contracts { id scope qualityResults { resultId dataContractId contract { table { id } } } spcResults { resultId } }
        }
      } }`;

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
function overviewOf(id: string): Promise<any> {
  return queryField(owner, OVERVIEW, { id });
}

beforeAll(async () => {
  instance = (await connect(owner, 'bearer', vendor.credentials.bearer)).body.data;
  await validateCredential(owner, instance);
  const input = { instanceId: instance.id, externalId: 'run 1', status: 'succeeded' };
  await queryField(owner, 'mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) { id } }', { input });
});

describe('edges of GraphQL', () => {
  it('leads from a vendor down to its connections, and up again', async () => {
    const found = await queryField(
      owner,
      `query ($slug: String!) { platformVendor(slug: $slug) {
        id connectors { id vendor { id } }
        instances {
          id connector { id instances { id } groupings { id instances { id } } }
          authenticationStrategy { connector { id } instances { id } }
          credential { id instance { id } validations { credential { id } } }
          syncJobs { instance { id } }
          taps { instance { id } tap { connector { id } tenantConnectorTaps { instance { id } } } }
        }
      } }`,
      { slug: VENDOR_SLUG },
    );
    const [one] = found.instances;
    const { id } = instance;
    expect(found.instances).toHaveLength(1);
    expect(found.connectors.every((connector: typeof found) => connector.vendor.id === found.id)).toBe(true);
    expect(one).toEqual({
      id,
      connector: { id: instance.connector.id, instances: [{ id }], groupings: [expect.anything()] },
      authenticationStrategy: { connector: { id: instance.connector.id }, instances: [{ id }] },
      credential: {
        ...{ id: instance.credentialMetadataId, instance: { id } },
        validations: expect.arrayContaining([{ credential: { id: instance.credentialMetadataId } }]),
      },
      syncJobs: [{ instance: { id } }],
      taps: expect.arrayContaining([
        {
          instance: { id },
          tap: { connector: { id: instance.connector.id }, tenantConnectorTaps: [{ instance: { id } }] },
        },
      ]),
    });
    expect(one.connector.groupings[0].instances).toEqual([{ id }]);
  });

  it('lists the groupings of all levels in one list', async () => {
    const { groupings, allGroupings } = await queryField(
      owner,
      '{ platformVendor(slug: "github") { groupings { id groupings { id } } allGroupings { id } } }',
    );
    const ofTree = groupings.flatMap((node: typeof instance) => [node, ...node.groupings]);
    expect(new Set(allGroupings.map(({ id }: { id: string }) => id))).toEqual(
      new Set(ofTree.map(({ id }: { id: string }) => id)),
    );
  });

  it('leads from a file to its taps, their table and results, and up again', async () => {
    const { id: tapId } = await publishFile(owner, 'id,name\n1,Ada\n');
    await waitForPublication(owner, tapId);
    await waitUntil(async () => JSON.stringify(await overviewOf(tapId)).includes('dataContractId":"'));
    const tap = await overviewOf(tapId);
    const { table } = tap;
    expect(tap).toMatchObject({
      artifact: { taps: [{ id: tapId }], attributedTap: { id: tapId } },
      publication: { tap: { id: tapId }, artifact: { taps: [{ id: tapId }] } },
      table: { tap: { id: tapId }, files: [{ table: { id: table.id } }] },
    });
    const data = table.contracts.find(({ scope }: { scope: string }) => scope === 'data');
    expect(data.qualityResults).toMatchObject([
      { resultId: expect.any(String), dataContractId: data.id, contract: { table: { id: table.id } } },
    ]);
    expect(data.spcResults).toHaveLength(1);
  });

  it('names the authors of objects: users, API keys and the service', async () => {
    const AUTHOR = '{ id kind name user { email } apiKey { name } }';
    const [connection] = (
      await queryField(
        owner,
        `{ tenantConnectorInstances { items { createdByUser ${AUTHOR} connector { createdByUser ${AUTHOR} } } } }`,
      )
    ).items;
    const ownerId = await userIdOf(owner, 'owner@demo.test');
    expect(connection.createdByUser).toMatchObject({ id: ownerId, kind: 'user', user: { email: 'owner@demo.test' } });
    expect(connection.connector.createdByUser).toEqual({
      ...{ id: SYSTEM_USER_ID, kind: 'system', name: 'System', user: null, apiKey: null },
    });
    const program = await anApiKeyClient(service, ['connector_requests:write']);
    await program.post('/api/connector-requests/connector-requests', { connectorName: 'Acme' });
    const { items } = await queryField(owner, `{ auditEntries { items { actorUser ${AUTHOR} } } }`);
    const actors = items.map(({ actorUser }: typeof instance) => actorUser);
    expect(actors[0]).toMatchObject({ kind: 'api_key', name: null, user: null, apiKey: { name: expect.any(String) } });
    expect(actors.at(-1).kind).not.toBe('api_key');
  });

  it('shows programs the name of an author, but not the user', async () => {
    const program = await anApiKeyClient(service, ['connectors:read']);
    const { data, errors } = (
      await program.graphql('{ tenantConnectorInstances { items { createdByUser { name user { email } } } } }')
    ).body;
    expect(data.tenantConnectorInstances.items[0].createdByUser).toEqual({ name: expect.any(String), user: null });
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('leads from a role to its users and child roles', async () => {
    const parentRoleId = await aRole(owner, { name: 'parent', permissions: [] });
    const id = await aRole(owner, { name: 'child', permissions: [], parentRoleId });
    const roles = await queryField(owner, '{ roles { id name users { email } childRoles { id } parentRole { id } } }');
    const roleOf = (name: string) => roles.find((role: typeof instance) => role.name === name);
    expect(roleOf('owner').users).toEqual([{ email: 'owner@demo.test' }]);
    expect([roleOf('parent').childRoles, roleOf('child').parentRole]).toEqual([[{ id }], { id: parentRoleId }]);
  });

  it('hides a deleted connection from its vendor, connector and sync jobs', async () => {
    const { id } = (await connect(owner, 'basic', vendor.credentials.basic)).body.data;
    const listed = async () => {
      const { instances } = await queryField(owner, `{ platformVendor(slug: "${VENDOR_SLUG}") { instances { id } } }`);
      return instances.some((one: { id: string }) => one.id === id);
    };
    expect(await listed()).toBe(true);
    await owner.request(`/api/vendors/tenant-connector-instances/${id}`, { method: 'DELETE' });
    expect(await listed()).toBe(false);
  });
});

describe('a repeated query, whose rows are read with the list', () => {
  it.each([
    ['values and JSON objects', ''],
    ['values', 'JSON'],
  ])('has the response of the first request, which reads them one edge at a time: %s', async (_, omitted) => {
    const types: { name: string; fields: { name: string; type: FieldType }[] | null }[] = (
      await queryField(owner, '{ __schema { types { name fields { name type { kind name ofType { kind name } } } } } }')
    ).types;
    const isValue = ({ type: { kind, ofType, ...type } }: { type: FieldType }): boolean => {
      const named = kind === 'NON_NULL' ? ofType : { kind, ...type };
      return /SCALAR|ENUM/.test(named?.kind ?? '') && !(omitted && named?.name.startsWith(omitted));
    };
    const values = (type: string) =>
      types
        .find(({ name }) => name === type)
        ?.fields?.filter(isValue)
        .map(({ name }) => name)
        .join(' ');
    const connector = `connector { ${values('Connector')} taps { ${values('ConnectorTap')} } supportedAuthStrategies { ${values('ConnectorAuthStrategy')} } }`;
    const grouping = `${values('PlatformVendorGrouping')} ${connector} parent { name } vendor { name }`;
    const query = `query Repeated {
      platformVendors { items { ${values('PlatformVendor')} groupings { ${grouping} groupings { ${grouping} instances { id } } } } }
      tenantConnectorInstances { items {
        ${values('TenantConnectorInstance')} ${connector} grouping { ${grouping} }
        taps { ${values('TenantConnectorTap')} tap { name } } credentials { ${values('CredentialMetadata')} } syncJobs { ${values('SyncJob')} }
      } }
    }`;
    const ask = async () => (await owner.graphql(query)).body;
    const first = await ask();
    expect(first.errors).toBeUndefined();
    for (let request = 0; request < 3; request++) expect(await ask()).toEqual(first);
  });
});

interface FieldType {
  readonly kind: string;
  readonly name: string;
  readonly ofType: { readonly kind: string; readonly name: string } | null;
}

describe('the tap runs of a sync', () => {
  const SYNC = `query ($id: Base62Id!) { tenantConnectorInstance(id: $id) {
    lastSyncStatus
    syncJobs { id status trigger externalId errorMessage recordsRead
      tapRuns { status mode errorMessage recordsRead recordsWritten slicesTotal leftOutParents tap { name runs { status } table { rows } } } } } }`;

  it('show the counts of each tap', async () => {
    const { id } = (await connect(owner, 'bearer', vendor.credentials.bearer)).body.data;
    const jobId = await startSyncOf(service, id);
    const read = () => queryField(owner, SYNC, { id });
    await waitUntil(async () => /succeeded|failed|success/.test((await read()).lastSyncStatus));
    const { syncJobs } = await read();
    const records = RECORDS.length;
    const parents = RECORDS.filter((record) => record.comments > 0).length;
    const comments = RECORDS.reduce((sum, record) => sum + record.comments, 0);
    const runOf = (name: string, count: number, slicesTotal: number) => ({
      ...{ status: 'succeeded', mode: 'replace', errorMessage: null, recordsRead: count, recordsWritten: count },
      ...{ slicesTotal, leftOutParents: 0 },
      tap: { name, runs: [{ status: 'succeeded' }], table: { rows: count } },
    });
    expect(syncJobs).toEqual([
      {
        ...{ id: jobId, status: 'succeeded', trigger: 'manual', externalId: null, errorMessage: null },
        recordsRead: records + comments,
        tapRuns: expect.arrayContaining([runOf('records', records, 1), runOf('comments', comments, parents)]),
      },
    ]);
  });
});
