import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EntityTables } from '../../src/kernel/entities/entity-tables.js';
import { decodeId, encodeId } from '../../src/kernel/ids.js';
import { ReaderFactory } from '../../src/kernel/reading/reader-factory.js';
import { DataKeys } from '../../src/secrets/data-keys.js';
import { loadKeyRing } from '../../src/secrets/key-file.js';
import { SealingStore } from '../../src/secrets/sealing-store.js';
import { issueLocalToken } from '../../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail, seedDemo } from '../../src/tenancy/workspaces/seed-demo.js';
import { type BenchDatabase, openBenchDatabase } from '../support/bench-database.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { cloneConnection } from './clone-connections.js';
import { vendorDefinition } from './vendor-definition.js';
import type { VendorRequest, VendorSettings } from './vendor-settings.js';

const POLL_INTERVAL_MS = 100;

const COUNT_TESTS = `
select count(*) from taproot_jobs.job where name in ('credential-test', 'valid-credential') and state < 'completed' and start_after <= now()`;

/** A rate limit that is too high to delay a request. */
const UNLIMITED = 100_000;

// biome-ignore lint/suspicious/noExplicitAny: any response
type Json = any;

type Headers = Readonly<Record<string, string>>;

export class PullBench {
  /** Includes benches that are opening. */
  static readonly #open = new Set<Promise<PullBench>>();

  /** Includes services that are starting. */
  readonly #services = new Set<Promise<ServerProcess>>();
  readonly #workspaces = new Map<string, Headers>();
  #closed: Promise<void> | undefined;

  private constructor(
    readonly database: BenchDatabase,
    readonly vendor: ServerProcess,
  ) {}

  static open({ requestsPerSecond = UNLIMITED } = {}): Promise<PullBench> {
    const opening = PullBench.#start(requestsPerSecond);
    PullBench.#open.add(opening);
    return opening;
  }

  static async closeAll(): Promise<void> {
    await Promise.allSettled([...PullBench.#open].map(async (bench) => (await bench).close()));
  }

  static async #start(requestsPerSecond: number): Promise<PullBench> {
    const database = await openBenchDatabase();
    try {
      const vendor = await startServerProcess('bench/pull/page-vendor.js', { pattern: /(http:\S+)/ });
      const definition = vendorDefinition(vendor.origin, requestsPerSecond);
      await writeFile(join(database.dataDir, 'bench.yaml'), JSON.stringify(definition));
      return new PullBench(database, vendor);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async startService(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    if (this.#closed) throw new Error('the bench is closed');
    const { url, dataDir } = this.database;
    const starting = startServerProcess('src/main.js', {
      pattern: /REST +(http:\/\/[^/]+)/,
      env: {
        ...{ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: url, CATALOG_DIR: dataDir },
        ...{ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMITS: 'off', INITIAL_SYNC: 'off', ...env },
      },
    });
    this.#services.add(starting);
    return starting;
  }

  /** Creates the workspace if it does not exist. Returns the request headers of the workspace owner. */
  async workspace(slug: string): Promise<Headers> {
    const known = this.#workspaces.get(slug);
    if (known) return known;
    const { em } = this.database.orm;
    const tables = new EntityTables(em.getMetadata());
    const readers = new ReaderFactory(tables, await em.getConnection().getNativeClient());
    await seedDemo({ em: em.fork(), tables, readers }, slug);
    const headers = await this.headers(slug);
    this.#workspaces.set(slug, headers);
    return headers;
  }

  async enableTaps(): Promise<void> {
    await this.database.orm.em.getConnection().execute('update tenant_connector_tap set enabled = true');
  }

  /** Later figures must not include the credential tests. */
  async waitForCredentialTests(): Promise<void> {
    for (;;) {
      const [tests] = await this.database.orm.em.getConnection().execute<{ count: string }[]>(COUNT_TESTS);
      if (Number(tests?.count) === 0) return;
      await wait(POLL_INTERVAL_MS);
    }
  }

  async headers(workspace = DEMO_WORKSPACE): Promise<Headers> {
    const authorization = `Bearer ${await issueLocalToken(this.database.dataDir, demoEmail('owner', workspace))}`;
    return { authorization, 'x-tenant': workspace };
  }

  async setVendor(settings: Partial<VendorSettings>): Promise<void> {
    const body = JSON.stringify({ pages: 1, pageBytes: 0, latencyMs: 0, ...settings });
    await fetch(`${this.vendor.origin}/settings`, { method: 'POST', body });
  }

  async vendorRequests(): Promise<VendorRequest[]> {
    return (await fetch(`${this.vendor.origin}/requests`)).json() as Promise<VendorRequest[]>;
  }

  async connect(origin: string, headers: Headers, token: string): Promise<string> {
    const [grouping] = await call(origin, headers, 'GET', '/api/vendors/platform-vendor-groupings/bench');
    const [{ id: authenticationStrategyId }] = grouping.supportedAuthStrategies;
    const { tenantConnectorInstance, tenantConnectorInstanceId, id } = await call(
      origin,
      headers,
      'POST',
      '/api/connectors',
      {
        ...{ connectorId: grouping.connectorId, groupingId: grouping.id, authenticationStrategyId },
        authenticationConfig: { token },
      },
    );
    return tenantConnectorInstance?.id ?? tenantConnectorInstanceId ?? id;
  }

  async cloneConnection(id: string, tokens: readonly string[]): Promise<void> {
    const { em } = this.database.orm;
    const sql = 'select tenant_id, credential_id from tenant_connector_instance where id = ?';
    const [row] = await em.getConnection().execute<Record<string, string>[]>(sql, [decodeId(id)]);
    const [tenantId, credentialId] = [row?.tenant_id, row?.credential_id].map((uuid) => encodeId(uuid as string));
    const original = { tenantId: tenantId as string, instanceId: id, credentialId: credentialId as string };
    const readers = new ReaderFactory(new EntityTables(em.getMetadata()), await em.getConnection().getNativeClient());
    const secrets = new SealingStore(new DataKeys(readers, await loadKeyRing(this.database.dataDir)));
    await cloneConnection(this.database, secrets, original, tokens);
  }

  async startSync(origin: string, headers: Headers, connection: string, tap: string): Promise<string> {
    const tapIds = [await this.#tapOf(connection, tap)];
    const path = `/api/vendors/tenant-connector-instances/${connection}/syncs`;
    return (await call(origin, headers, 'POST', path, { tapIds })).id;
  }

  /** Throws an error if the sync ends with a status other than `succeeded`. */
  async waitForSync(origin: string, headers: Headers, id: string): Promise<Json> {
    for (;;) {
      const sync = await call(origin, headers, 'GET', `/api/syncs/${id}`);
      if (sync.status === 'succeeded') return sync;
      if (!['pending', 'running', 'waiting', 'queued'].includes(sync.status)) throw new Error(JSON.stringify(sync));
      await wait(POLL_INTERVAL_MS);
    }
  }

  async #tapOf(connection: string, name: string): Promise<string> {
    const sql = `select t.id, t.instance_id, d.name from tenant_connector_tap t join connector_tap d on d.id = t.tap_id`;
    const rows = await this.database.orm.em.getConnection().execute<Json[]>(sql);
    const found = rows.find((row) => encodeId(row.instance_id) === connection && row.name === name);
    if (!found) throw new Error(`the connection has no tap ${name}`);
    return encodeId(found.id);
  }

  /** Also stops services that are starting. */
  async stopServices(): Promise<void> {
    const services = [...this.#services];
    this.#services.clear();
    await Promise.allSettled(services.map(async (service) => (await service).stop()));
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.stopServices();
    await this.vendor.stop();
    await this.database.close();
  }
}

/** Returns the `data` of the response. Throws an error if the request fails. */
export async function call(
  origin: string,
  headers: Headers,
  method: string,
  path: string,
  body?: object,
): Promise<Json> {
  const response = await fetch(origin + path, {
    ...{ method, headers: { ...headers, 'content-type': 'application/json' } },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
  return JSON.parse(text).data;
}
