import type { MikroORM } from '@mikro-orm/postgresql';
import pg, { type Pool, type QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../bench/support/seeded-random.js';
import { createOrm } from '../../src/database/orm.js';
import { EntityTables } from '../../src/kernel/entities/entity-tables.js';
import { TENANT_SETTING } from '../../src/kernel/entities/tenant-table.js';
import { decodeId, encodeId } from '../../src/kernel/ids.js';
import { type QueryConnection, Reader } from '../../src/kernel/reading/reader.js';
import { scopedConnection } from '../../src/kernel/reading/reader-factory.js';
import type { Scope } from '../../src/kernel/reading/scoped-query.js';
import { runTenantTransaction } from '../../src/kernel/reading/tenant-transaction.js';
import { Role } from '../../src/tenancy/role.js';
import { User } from '../../src/tenancy/user.js';
import { systemCaller, writeAsCaller } from '../../src/tenancy/workspace-transaction.js';
import { seed } from '../support/catalog/definition-builders.js';
import { loginTo } from '../support/database/runtime-role.js';
import { queryInScope, sqlStateOf } from '../support/database/tenant-statements.js';
import { shuffled } from '../support/seeded-integers.js';
import { aService } from '../support/service/service.js';
import { createTestWorkspace } from '../support/service/test-workspace.js';
import { atScale } from '../support/soak.js';

const TRANSACTIONS = atScale(2_000, 20_000);
const AT_ONCE = 32;
const CONNECTIONS = 4;
const SLUGS = ['demo', 'north', 'south', 'west'];

/** The statement does not specify a workspace, so only row level security limits its result. */
const USERS = 'select tenant_id, pg_backend_pid() from "user"';
const DIVIDED = 'select tenant_id, 1 / $1::int from "user"';
const SETTING = `select current_setting('${TENANT_SETTING}', true) as setting, pg_backend_pid() as pid`;
const USERS_OF_EACH = 5;

let orm: MikroORM;
let pool: Pool;
let tables: EntityTables;
let owner: pg.Client;
let tenants: string[];

afterAll(async () => {
  await owner.end();
  await orm.close(true); // The client must disconnect before the service drops its database.
});
const service = aService();
beforeAll(async () => {
  for (const slug of SLUGS.slice(1)) await createTestWorkspace(service, slug);
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  const { rows } = await owner.query('select id from workspace order by slug');
  tenants = rows.map(({ id }) => encodeId(id));
  orm = createOrm(loginTo(service).url);
  pool = await orm.em.getConnection().getNativeClient();
  pool.options.max = CONNECTIONS;
  tables = new EntityTables(orm.getMetadata());
});

const uuid = (tenantId: string): string => decodeId(tenantId) as string;
const scopeOf = (tenantId: string) => ({ setting: TENANT_SETTING, value: uuid(tenantId) });

/** Returns a client to the pool after an error, whereas `pool.query` closes the client. */
function keptConnection(scope: Scope): QueryConnection {
  return {
    async query(statement) {
      const client = await pool.connect();
      return queryInScope(client, statement, scope).finally(() => client.release()) as never;
    },
  };
}

function readerOf(tenantId: string, connection = scopedConnection(pool, scopeOf(tenantId))): Reader {
  return new Reader(tables, connection, tenantId);
}

/** The result of one transaction: the workspaces of its rows, or an error code. */
type Seen = readonly (string | null | undefined)[];
type Work = (tenantId: string) => Promise<Seen>;

interface Kind {
  /** In percent of all transactions. */
  readonly share: number;
  readonly work: Work;
  readonly sees: (tenantId: string) => Seen;
}

/** Workspaces that each database connection served, by the id of its PostgreSQL process. */
const served = new Map<string, Set<string>>();

function note(rows: (string | null)[][], tenantId: string): Seen {
  for (const [, pid] of rows) served.set(pid as string, (served.get(pid as string) ?? new Set()).add(tenantId));
  return rows.map(([tenant]) => tenant);
}

const ALL_OWN = (tenantId: string): Seen => Array(USERS_OF_EACH).fill(uuid(tenantId));

const KINDS: Record<string, Kind> = {
  'a scoped statement': {
    share: 28,
    work: async (tenantId) => note(await readerOf(tenantId).rows(USERS, []), tenantId),
    sees: ALL_OWN,
  },
  'a scoped read of entities': {
    share: 12,
    work: async (tenantId) =>
      (await readerOf(tenantId).select(User, { limit: 100 })).map((user) => decodeId(user.tenantId)),
    sees: ALL_OWN,
  },
  'a scoped statement that fails, on a connection that stays open': {
    share: 12,
    work: (tenantId) => sqlStateOf(readerOf(tenantId, keptConnection(scopeOf(tenantId))).rows(DIVIDED, [0])),
    sees: () => ['22012'],
  },
  'a scoped statement that fails': {
    share: 2,
    work: (tenantId) => sqlStateOf(readerOf(tenantId).rows(DIVIDED, [0])),
    sees: () => ['22012'],
  },
  'a statement that fails in another workspace': {
    share: 12,
    work: async (tenantId) => (await readerOf(tenantId).rows(DIVIDED, [1])).map(([tenant]) => tenant),
    sees: ALL_OWN,
  },
  'a transaction that reads': {
    share: 6,
    work: (tenantId) =>
      runTenantTransaction(orm.em, tables, tenantId, async ({ em, read }) => {
        const users = await em.find(User, {}, { filters: false });
        const rows = note(await read.rows(USERS, []), tenantId);
        return [...users.map((user) => uuid(user.tenantId)), ...rows];
      }),
    sees: (tenantId) => [...ALL_OWN(tenantId), ...ALL_OWN(tenantId)],
  },
  'a transaction that writes': {
    share: 4,
    work: (tenantId) =>
      writeAsCaller(orm.em, tables, systemCaller(tenantId), 'interleaved', async (tx) => {
        tx.recordAudit('interleaved', { id: tenantId });
        return [];
      }),
    sees: () => [],
  },
  'a transaction that writes a duplicate key': {
    share: 4,
    work: (tenantId) =>
      sqlStateOf(
        writeAsCaller(orm.em, tables, systemCaller(tenantId), 'refused', async (tx) => {
          tx.recordAudit('refused', { id: tenantId });
          tx.create(Role, { name: 'owner' });
        }),
      ),
    sees: () => ['23505'], // SQLSTATE unique_violation.
  },
  'a transaction that is rolled back': {
    share: 4,
    work: (tenantId) =>
      sqlStateOf(
        writeAsCaller(orm.em, tables, systemCaller(tenantId), 'refused', async (tx) => {
          tx.recordAudit('refused', { id: tenantId });
          await tx.em.flush();
          await tx.read.rows(DIVIDED, [0]);
        }),
      ),
    sees: () => ['22012'],
  },
  'a statement without a workspace': {
    share: 8,
    work: async () => (await new Reader(tables, pool).rows(USERS, [])).map(([tenant]) => tenant),
    sees: () => [],
  },
  'a statement that reads the setting': {
    share: 8,
    work: async () =>
      note(await new Reader(tables, pool).rows(SETTING, []), 'none').map((setting) => setting || 'empty'),
    sees: () => ['empty'],
  },
};

describe(`transactions of ${SLUGS.length} workspaces on ${CONNECTIONS} connections (TEST_SEED=${seed})`, () => {
  it(`never see a row of another workspace, ${TRANSACTIONS} times`, async () => {
    const random = seededRandom(seed);
    const deck = Object.entries(KINDS).flatMap((kind) =>
      tenants.flatMap((tenantId) => Array(kind[1].share).fill([kind, tenantId] as const)),
    );
    const decks: (typeof deck)[] = Array(TRANSACTIONS / deck.length).fill(deck);
    const lots = shuffled(decks.flat(), (bound) => Math.floor(random() * bound));
    const wrong: object[] = [];
    const counts: Record<string, Record<string, number>> = {};
    const worker = async (): Promise<void> => {
      for (let lot = lots.pop(); lot; lot = lots.pop()) {
        const [[name, { work, sees }], tenantId] = lot;
        const seen = await work(tenantId);
        if (JSON.stringify(seen) !== JSON.stringify(sees(tenantId))) wrong.push({ name, tenantId, seen });
        const ofKind = (counts[name] ??= {});
        ofKind[tenantId] = (ofKind[tenantId] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    expect(wrong).toEqual([]);
    const each = Object.values(counts).flatMap((ofKind) => Object.values(ofKind));
    expect([each.length, each.reduce((sum, count) => sum + count)]).toEqual([44, TRANSACTIONS]);
    expect(Math.min(...each)).toBeGreaterThan(2);
    expect(Math.max(...[...served.values()].map(({ size }) => size))).toBe(SLUGS.length + 1);
    expect(pool.totalCount).toBeLessThanOrEqual(CONNECTIONS);

    const written = await owner.query(
      "select tenant_id, action, count(*)::int from audit_entry where action in ('interleaved', 'refused') group by 1, 2",
    );
    const found = written.rows.map((row) => [encodeId(row.tenant_id), row.action, row.count]);
    const expected = Object.entries(counts['a transaction that writes'] ?? {});
    expect(found.sort()).toEqual(expected.map(([tenantId, count]) => [tenantId, 'interleaved', count]).sort());
  });

  it('leave no setting on any connection', async () => {
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
    for (const client of clients) await queryInScope(client, { text: USERS }, scopeOf(tenants[0] as string));
    const found = await Promise.all(clients.map((client) => client.query(SETTING)));
    for (const client of clients) client.release();
    expect(found.map(({ rows }) => rows[0].setting)).toEqual(Array(CONNECTIONS).fill(''));
    expect(new Set(found.map(({ rows }) => rows[0].pid)).size).toBe(CONNECTIONS);
  });
});

type Step = [tenant: number | 'no workspace', config: QueryConfig, sees: 'its own rows' | 'no rows' | string];

const NAMED = { name: 'users', text: USERS };
const FAILING = { name: 'divided', text: DIVIDED, values: [0] };
const NOT_FAILING = { ...FAILING, values: [1] };
const NO_TABLE = { name: 'none', text: 'select tenant_id from nothing' };
const CIRCULAR: unknown[] = [];
CIRCULAR.push(CIRCULAR);

const STEPS: Record<string, Step[]> = {
  'the first time, again and for another workspace': [
    [0, NAMED, 'its own rows'],
    [0, NAMED, 'its own rows'],
    [1, NAMED, 'its own rows'],
    [0, NAMED, 'its own rows'],
  ],
  'after the same statement failed': [
    [0, FAILING, '22012'],
    [0, NOT_FAILING, 'its own rows'],
    [1, FAILING, '22012'],
    ['no workspace', NOT_FAILING, 'no rows'],
    [2, NOT_FAILING, 'its own rows'],
  ],
  'after a statement that could not be prepared': [
    [0, NO_TABLE, '42P01'],
    [1, NO_TABLE, '42P01'],
    ['no workspace', NAMED, 'no rows'],
    [0, NAMED, 'its own rows'],
  ],
  'prepared without a workspace before': [
    ['no workspace', NAMED, 'no rows'],
    [0, NAMED, 'its own rows'],
    ['no workspace', NAMED, 'no rows'],
    [1, NAMED, 'its own rows'],
  ],
  'run without a workspace afterwards': [
    [0, NAMED, 'its own rows'],
    ['no workspace', NAMED, 'no rows'],
    [0, NAMED, 'its own rows'],
  ],
  'without a name and values': [
    [0, { text: USERS }, 'its own rows'],
    ['no workspace', { text: USERS }, 'no rows'],
    [1, { text: USERS }, 'its own rows'],
  ],
  'after a value that cannot be sent': [
    [0, { text: DIVIDED, values: [{ CIRCULAR }] }, 'not sent'],
    [1, NAMED, 'its own rows'],
    ['no workspace', NAMED, 'no rows'],
  ],
};

describe.each(['one after the other', 'all at once'])('statements on one connection, %s', (way) => {
  it.each(Object.entries(STEPS))('%s', async (_, steps) => {
    const client = new pg.Client({ connectionString: loginTo(service).url });
    await client.connect();
    const take = async ([tenant, config]: Step): Promise<unknown> => {
      const reply =
        tenant === 'no workspace'
          ? client.query({ ...config, rowMode: 'array' })
          : queryInScope(client, config, scopeOf(tenants[tenant] as string));
      return reply.then(
        ({ rows }) => rows.map(([id]) => id),
        (error) => error.code ?? 'not sent',
      );
    };
    const seen: unknown[] = [];
    if (way === 'all at once') seen.push(...(await Promise.all(steps.map(take))));
    else for (const step of steps) seen.push(await take(step));
    const rest = await client.query(SETTING);
    await client.end();
    const rowsOf = (tenant: Step[0]) => (tenant === 'no workspace' ? [] : ALL_OWN(tenants[tenant] as string));
    expect(seen).toEqual(steps.map(([tenant, , sees]) => (/rows/.test(sees) ? rowsOf(tenant) : sees)));
    expect(rest.rows[0].setting).toBe('');
  });
});
