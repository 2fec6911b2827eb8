import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../bench/support/seeded-random.js';
import { demoEmail } from '../../src/tenancy/workspaces/seed-demo.js';
import { seed } from '../support/catalog/definition-builders.js';
import { aDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { findPgBouncer, startPgBouncer } from '../support/database/pgbouncer.js';
import { loginTo } from '../support/database/runtime-role.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { anInboundTap, anIngestService, pushRecords, storedRecords } from '../support/ingest/pushed-taps.js';
import { roleIdOf } from '../support/service/callers.js';
import { captureLog } from '../support/service/captured-log.js';
import { openStream } from '../support/service/live-stream.js';
import type { Client, Reply, TestService } from '../support/service/service.js';
import { startTestService } from '../support/service/start-service.js';
import { createTestWorkspace } from '../support/service/test-workspace.js';
import { atScale } from '../support/soak.js';

const REQUESTS = atScale(1_000, 40_000);
const TIMEOUT_MS = atScale(180_000, 3_600_000);
const AT_ONCE = 24;
const POOL_SIZE = 3;
const SLUGS = ['demo', 'north', 'south', 'west', 'east', 'upper', 'lower', 'outer'];
const INVITED = 5;

const program = findPgBouncer();
const way = program?.prepares ? 'with prepared statements' : 'with DATABASE_PREPARED=off';
const title = program
  ? `PgBouncer ${program.version} ${way}, ${POOL_SIZE} connections shared by transactions (TEST_SEED=${seed})`
  : 'PgBouncer (skipped: the program pgbouncer is not installed)';

interface Tenant {
  readonly slug: string;
  readonly client: Client;
  readonly requested: { id: string; name: string }[];
}

/** Sends a request. Returns the response if it differs from the expected response, and otherwise undefined. */
type Ask = (tenant: Tenant, others: readonly Tenant[], nth: number) => Promise<unknown>;

const CONNECTOR_REQUESTS = '/api/connector-requests';

const fault = ({ status, text }: Reply, isOwn: boolean): unknown => (isOwn ? undefined : { status, text });

/** The test sends each of these requests equally often. */
const ASKS: readonly Ask[] = [
  async ({ slug, client }) => {
    const reply = await client.request('/api/users/me');
    return fault(reply, reply.status === 200 && reply.body.data.email === demoEmail('owner', slug));
  },
  async ({ slug, client }) => {
    const reply = await client.request('/api/users/invitations?limit=250');
    const emails: string[] = reply.body?.data?.items?.map(({ email }: { email: string }) => email) ?? [];
    return fault(reply, emails.length === INVITED && emails.every((email) => email.endsWith(`@${slug}.example`)));
  },
  async ({ slug, client }) => {
    const reply = await client.graphql('{ workspace { slug } me { email roles { name } } roles { name } }');
    const { workspace, me } = reply.body?.data ?? {};
    return fault(reply, workspace?.slug === slug && me.email === demoEmail('owner', slug));
  },
  async ({ slug, client, requested }, _, nth) => {
    const name = `${slug} ${nth}`;
    const reply = await client.post(`${CONNECTOR_REQUESTS}/connector-requests`, { connectorName: name });
    if (reply.status === 200) requested.push({ id: reply.body.data.id, name });
    return fault(reply, reply.status === 200 && reply.body.data.connectorName === name);
  },
  async ({ client, requested }, _, nth) => {
    const own = requested[nth % requested.length];
    if (!own) return undefined;
    const reply = await client.request(`${CONNECTOR_REQUESTS}/${own.id}`);
    return fault(reply, reply.status === 200 && reply.body.data.connectorName === own.name);
  },
  async ({ client }, others, nth) => {
    const foreign = others[nth % others.length]?.requested.at(-1);
    if (!foreign) return undefined;
    const reply = await client.request(`${CONNECTOR_REQUESTS}/${foreign.id}`);
    return fault(reply, reply.status === 404);
  },
];

/** Returns the unexpected responses. */
async function soak(tenants: readonly Tenant[], count: number): Promise<unknown[]> {
  const random = seededRandom(seed);
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const faults: unknown[] = [];
  let nth = 0;
  const worker = async (): Promise<void> => {
    while (nth++ < count) {
      const tenant = oneOf(tenants);
      const others = tenants.filter((one) => one !== tenant);
      const found = await oneOf(ASKS)(tenant, others, nth);
      if (found) faults.push(found);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return faults;
}

async function setUp(service: TestService, slug: string): Promise<Tenant> {
  if (slug !== 'demo') await createTestWorkspace(service, slug);
  const client = service.as('owner', { slug });
  const roleIds = [await roleIdOf(client, 'viewer')];
  for (let nth = 0; nth < INVITED; nth++) {
    const { status } = await client.post('/api/users/invitations', { email: `${nth}@${slug}.example`, roleIds });
    expect(status).toBe(200);
  }
  return { slug, client, requested: [] };
}

if (!program) describe.skip(title, () => it('is skipped', () => undefined));
else {
  const bouncer = await startPgBouncer(program, POOL_SIZE);
  const captured = captureLog();
  const prepared = { DATABASE_PREPARED: program.prepares ? 'on' : 'off' };
  const env = { ...prepared, JOBS: 'on', INGEST_FLUSH_SECONDS: '1' };
  const service = await anIngestService(env, captured.log, bouncer.through);
  afterAll(bouncer.stop);

  async function queryAs(databaseUrl: string, statement: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: bouncer.through(databaseUrl) });
    await client.connect();
    return (await client.query(statement).finally(() => client.end())).rows;
  }

  describe(title, () => {
    it(
      `serves ${REQUESTS} requests of ${SLUGS.length} workspaces without an error or a foreign row`,
      async () => {
        const tenants: Tenant[] = [];
        for (const slug of SLUGS) tenants.push(await setUp(service, slug));
        expect(await soak(tenants, REQUESTS)).toEqual([]);
        const connections = `select count(*)::int from pg_stat_activity where usename = current_user and datname = current_database()`;
        const [{ count } = {}] = await queryAs(loginTo(service).url, connections);
        expect(count).toBeLessThanOrEqual(POOL_SIZE);
      },
      TIMEOUT_MS,
    );

    it('runs jobs and never listens on a shared connection', async () => {
      const { token, tapId } = await anInboundTap(service.as('editor'), 'open');
      const rows = Array.from({ length: 20 }, (_, id) => ({ id, name: `Number ${id}` }));
      for (const row of rows) expect((await pushRecords(service, token, row)).status).toBe(202);
      await waitUntil(async () => (await storedRecords(service, tapId)).length === rows.length);
      for (let nth = 0; nth < 20; nth++)
        expect(await queryAs(loginTo(service).url, 'select pg_listening_channels()')).toEqual([]);
      expect(captured.lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    });

    it('serves live updates only with a direct address', async () => {
      const query = 'subscription { tenantConnectorInstanceChanged { id } }';
      const { response } = await openStream(service, query);
      expect([response.status, response.headers.get('x-error-code')]).toEqual([503, 'UNAVAILABLE']);
      const settings = { DATABASE_URL: bouncer.through(service.databaseUrl), DATA_DIR: service.dataDir };
      const direct = await startTestService({
        ...{ ...prepared, ...settings, JOBS: 'off' },
        DATABASE_LISTEN_URL: service.databaseUrl,
      });
      const stream = await openStream({ url: direct.url, tokenOf: service.tokenOf }, query);
      expect(stream.response.status).toBe(200);
      await queryAsOwner(
        service,
        `select pg_notify('taproot_changes', concat_ws(' ', 'TenantConnectorInstance', id, id)) from workspace where slug = 'demo'`,
      );
      expect(await stream.next()).toEqual({ data: { tenantConnectorInstanceChanged: null } });
      await direct.stop();
    });

    it('ends statements and idle transactions after the documented times, for all clients that share a connection', async () => {
      const settings = `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`;
      for (let nth = 0; nth < 20; nth++)
        expect(await queryAs(loginTo(service).url, settings)).toEqual([{ statement: '30s', idle: '20s' }]);
    });

    it('three processes start concurrently on an empty database, and another process starts afterwards', async () => {
      const database = await aDatabase({ empty: true });
      const start = () =>
        startTestService({ ...prepared, DATABASE_URL: bouncer.through(database.url), DATA_DIR: service.dataDir });
      const services = await Promise.all([start(), start(), start()]);
      services.push(await start());
      for (const { url } of services) expect((await fetch(`${url}/readyz`)).status).toBe(200);
      await Promise.all(services.map((one) => one.stop()));
      await database.drop();
    });
  });
}
