import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import { readDefinitions } from '../../../src/catalog/definitions/read-definitions.js';
import { loadDefinitions } from '../../../src/catalog/loading/load-definitions.js';
import { createOrm } from '../../../src/database/orm.js';
import { addNewTaps } from '../../../src/instances/lifecycle/add-new-taps.js';
import { encodeId } from '../../../src/kernel/ids.js';
import { issueLocalToken } from '../../../src/tenancy/authentication/local-issuer.js';
import { demoEmail } from '../../../src/tenancy/workspaces/seed-demo.js';
import {
  aConnector,
  aGrouping,
  anInboundStrategy,
  aStrategy,
  aTap,
  aVendor,
  yamlOf,
} from '../../support/catalog/definition-builders.js';
import { captureStatements } from '../../support/database/captured-statements.js';
import { cloneConnection, NEW_ID_COLUMN } from '../../support/database/clone-connections.js';
import { aDatabase, type TestDatabase } from '../../support/database/database.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { aClient, type Client, type Reply } from '../../support/service/service.js';
import { startTestService, startupErrorOf } from '../../support/service/start-service.js';

/** Not a superuser: row level security applies to this role, although it owns the tables. */
const OWNER = 'owner_of_a_used_catalog';

/** So many connections that the service needs several transactions. */
const MANY = 2_100;

const [main, bare] = ['main', 'spare'].map((key) =>
  aConnector({
    ...{ key, supportedAuthStrategies: [aStrategy(), aStrategy({ key: 'unused' })] },
    taps: [aTap(), aTap({ name: 'gone' })],
  }),
) as [ReturnType<typeof aConnector>, ReturnType<typeof aConnector>];
const spare = { ...bare, inboundAuthStrategies: [anInboundStrategy(), anInboundStrategy({ key: 'other' })] };
const [ofMain, ofSpare] = [aGrouping({ slug: 'main' }), aGrouping({ slug: 'spare', connector: 'spare' })];
const WHOLE = aVendor({ connectors: [main, spare], groupings: [ofMain, ofSpare] });

let database: TestDatabase;
let databaseUrl: string;
let folder: string;

beforeAll(async () => {
  database = await aDatabase({ empty: true });
  folder = await mkdtemp(join(tmpdir(), 'taproot-catalog-in-use-'));
  await sql(`create role ${OWNER} login createrole password 'known'`);
  await sql(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${OWNER}`);
  databaseUrl = Object.assign(new URL(database.url), { username: OWNER, password: 'known' }).href;
  await during(WHOLE, async (client) => {
    expect((await connect(client, 'main')).status).toBe(200);
    const { id } = (await connect(client, 'spare')).body.data;
    await client.delete(`/api/vendors/tenant-connector-instances/${id}`);
  });
});

afterAll(async () => {
  await database.drop();
  await queryAsOwner({ databaseUrl: process.env.TEST_TEMPLATE_URL as string }, `drop role if exists ${OWNER}`);
  await rm(folder, { recursive: true });
});

const sql = (statement: string) => queryAsOwner({ databaseUrl: database.url }, statement);

async function settingsFor(definition: VendorDefinition): Promise<Record<string, string>> {
  await writeFile(join(folder, 'acme.yaml'), yamlOf(definition));
  return { DATABASE_URL: databaseUrl, JOBS: 'off', DATA_DIR: join(folder, 'data'), CATALOG_DIR: folder };
}

/** Runs `work` as the owner of the demo workspace while the service runs with the definition. */
async function during(definition: VendorDefinition, work: (client: Client) => Promise<void>): Promise<void> {
  const service = await startTestService(await settingsFor(definition));
  const token = async () => issueLocalToken(join(folder, 'data'), demoEmail('owner'));
  await work(aClient(service, async () => ({ authorization: `Bearer ${await token()}`, 'x-tenant': 'demo' })));
  await service.stop();
}

async function connect(client: Client, slug: string): Promise<Reply> {
  const { body } = await client.request('/api/vendors/platform-vendor-groupings/acme');
  const grouping = body.data.find((one: { slug: string }) => one.slug === slug);
  const { id: groupingId, connectorId, supportedAuthStrategies, supportedInboundAuthStrategies: inbound } = grouping;
  const [{ id: authenticationStrategyId }] = inbound ?? supportedAuthStrategies;
  const choice = { groupingId, connectorId, authenticationStrategyId };
  return client.post('/api/connectors', { ...choice, authenticationConfig: inbound ? {} : { token: 'secret' } });
}

async function contents(): Promise<object[]> {
  const tables = await sql(`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  const found: object[] = [];
  for (const { name } of tables)
    found.push({ name, rows: await sql(`select t::text as row from "${name}" t order by 1`) });
  return found;
}

it('are the whole catalog of a new database if the bundled definitions are disabled', async () => {
  expect(await sql('select slug from platform_vendor')).toEqual([{ slug: 'acme' }]);
});

describe('definitions that lack parts used by connections', () => {
  it.each<[string, Partial<VendorDefinition>, string]>([
    ['a connector', { connectors: [spare], groupings: [ofSpare] }, 'acme/groupings/main, acme/main'],
    [
      'a connector whose grouping remains',
      {
        connectors: [spare],
        groupings: [aGrouping({ slug: 'main', connector: undefined, releaseStage: 'planned' }), ofSpare],
      },
      'acme/main',
    ],
    [
      'a used strategy and an unused one',
      { connectors: [{ ...main, supportedAuthStrategies: [aStrategy({ key: 'new' })] }, spare] },
      'acme/main/token',
    ],
    [
      'a used inbound strategy and an unused one',
      { connectors: [main, { ...spare, inboundAuthStrategies: [anInboundStrategy({ key: 'new' })] }] },
      'acme/spare/inbound',
    ],
    ['a grouping', { groupings: [aGrouping({ slug: 'elsewhere' }), ofSpare] }, 'acme/groupings/main'],
    [
      'a part used by a deleted connection',
      { connectors: [main], groupings: [ofMain] },
      'acme/groupings/spare, acme/spare',
    ],
  ])('fail the start with a line that names the part, and change nothing: %s', async (_, part, paths) => {
    const before = await contents();
    expect(await startupErrorOf(await settingsFor({ ...WHOLE, name: 'Renamed', ...part }))).toBe(
      `the definitions lack ${paths}, which current or deleted connections refer to. Restore these definitions. To stop new connections without removing a connector, set its releaseStatus to archived`,
    );
    expect(await contents()).toEqual(before);
  });
});

describe('definitions that keep these parts', () => {
  it('may archive the connector: its connections remain, and new connections are rejected', async () => {
    await during({ ...WHOLE, connectors: [{ ...main, releaseStatus: 'archived' }, spare] }, async (client) => {
      const { body } = await client.request('/api/vendors/tenant-connector-instances-for-vendors/acme');
      expect(body.data).toMatchObject([
        { connector: { releaseStatus: 'archived' }, connectionStatus: 'validation_pending' },
      ]);
      expect((await connect(client, 'main')).status).toBe(409);
    });
  });

  it('may remove a tap in use: the tap of the workspace remains without a definition', async () => {
    const connectors = [main, spare].map((connector) => ({ ...connector, taps: [aTap()] }));
    await during({ ...WHOLE, connectors }, async (client) => {
      const { body } = await client.graphql('{ tenantConnectorInstances { items { taps { name tap { name } } } } }');
      expect(body.data.tenantConnectorInstances.items).toEqual([
        {
          taps: [
            { name: 'gone', tap: null },
            { name: 'issues', tap: { name: 'issues' } },
          ],
        },
      ]);
    });
  });
});

describe('definitions with new taps', () => {
  const gone = aTap({ name: 'gone' });
  const [late, off] = [aTap({ name: 'late' }), aTap({ name: 'off', enabledByDefault: false })];
  const withTaps = (...taps: ReturnType<typeof aTap>[]): VendorDefinition => ({
    ...WHOLE,
    connectors: [main, spare].map((connector) => ({ ...connector, taps: [aTap(), ...taps] })),
  });
  const taps = () =>
    sql(`select t.name, t.enabled, t.table_name, t.deleted_at is not null as deleted, d.name as definition
      from tenant_connector_tap t join tenant_connector_instance i on i.id = t.instance_id left join connector_tap d on d.id = t.tap_id
      where i.deleted_at is null order by t.instance_id, d.position`);
  const row = (name: string, rest: object = {}) => ({
    ...{ name, enabled: true, deleted: false, definition: name },
    ...{ table_name: expect.stringMatching(new RegExp(`^acme_${name}_[0-9a-f]{8}$`)), ...rest },
  });

  it('add them to existing connections, disabled if the definition says so, but not to deleted connections', async () => {
    await during(withTaps(late, off), async () => undefined);
    expect(await taps()).toEqual([
      ...[row('issues'), row('late'), row('off', { enabled: false })],
      row('gone', { definition: null }),
    ]);
    expect((await sql('select count(*)::int as n from tenant_connector_tap')).at(0)?.n).toBe(6);
  });

  it('do not restore deleted taps, and reuse the tap of a connection for a definition that returns', async () => {
    await during(withTaps(late, off), async (client) => {
      const { body } = await client.request('/api/tenant-connector-taps');
      const { id } = body.data.items.find(({ name }: { name: string }) => name === 'late');
      await client.delete(`/api/tenant-connector-taps/${id}`);
    });
    await during(withTaps(late, off, gone), async () => undefined);
    expect(await taps()).toEqual([
      ...[row('issues'), row('late', { deleted: true }), row('off', { enabled: false }), row('gone')],
    ]);
  });

  it('reach each connection once, even with concurrent and interrupted starts', async () => {
    const [one] = await sql('select * from tenant_connector_instance where deleted_at is null');
    await cloneConnection({ databaseUrl: database.url }, encodeId(one?.id), MANY);
    const added = withTaps(late, off, gone, aTap({ name: 'last' }));
    await writeFile(join(folder, 'acme.yaml'), yamlOf(added));
    const orms = [1, 2, 3].map(() => createOrm(databaseUrl));
    const [first] = orms as [MikroORM];
    await loadDefinitions(first.em, await readDefinitions([folder])); // An interrupted start may stop after this call.
    const counts = await Promise.all(orms.map((orm) => addNewTaps(orm.em)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(MANY + 1);
    const lasts = await sql("select count(*)::int as n from tenant_connector_tap where name = 'last'");
    expect(lasts).toEqual([{ n: MANY + 1 }]);
    expect(await addNewTaps(first.em)).toBe(0);
    await Promise.all(orms.map((orm) => orm.close()));
  });

  it('reach a connection that is created while the catalog is loaded', async () => {
    await sql('update catalog_revision set reached_connections = false');
    const maker = new pg.Client({ connectionString: database.url });
    await maker.connect();
    await maker.query('begin');
    const live = 'tenant_connector_instance as "row" where "row".deleted_at is null limit 1';
    const { rows: made } = await maker.query(
      `insert into tenant_connector_instance select (jsonb_populate_record("row", jsonb_build_object(${NEW_ID_COLUMN}, 'credential_id', null))).*
       from ${live} returning id`,
    );
    const orm = createOrm(databaseUrl);
    const adding = addNewTaps(orm.em);
    const early = await Promise.race([adding, sleep(300, 'waits')]);
    await maker.query('commit');
    expect([early, await adding]).toEqual(['waits', 5]);
    const names = `select name from tenant_connector_tap where instance_id = '${made[0].id}' order by name`;
    expect((await sql(names)).map(({ name }) => name)).toEqual(['gone', 'issues', 'last', 'late', 'off']);
    await Promise.all([maker.end(), orm.close()]);
  });

  it('need a constant number of statements per thousand connections', async () => {
    const orm = createOrm(databaseUrl);
    await sql(
      `update catalog_revision set reached_connections = false; delete from tenant_connector_tap where name = 'last'`,
    );
    let added = 0;
    const statements = await captureStatements(async () => (added = await addNewTaps(orm.em)));
    expect([added, statements.length > 15, statements.length < 40]).toEqual([MANY + 2, true, true]);
    await orm.close();
  });
});
