import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeId } from '../../../src/kernel/ids.js';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';
import { DuckDb, sqlText } from '../../../src/tables/duckdb.js';
import { filesFolderOf } from '../artifacts/stored-files.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { waitUntil } from '../database/test-jobs.js';
import type { Client } from '../service/service.js';

const ORIGIN = 'http://127.0.0.1:4711';

/** `origins` maps the slug of a definition in test/support/programs to the origin of its program. */
export async function aProgramCatalog(
  origins: Readonly<Record<string, string>>,
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'taproot-programs-'));
  for (const [slug, origin] of Object.entries(origins)) {
    const text = await readFile(join(PROJECT_ROOT, `test/support/programs/${slug}.yaml`), 'utf8');
    await writeFile(join(folder, `${slug}.yaml`), text.replaceAll(ORIGIN, origin));
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** The service starts the first sync when the credential test succeeds. */
export class SyncedProgram {
  private constructor(
    private readonly service: { databaseUrl: string; dataDir: string },
    private readonly client: Client,
    private readonly id: string,
  ) {}

  static async connect(
    service: { databaseUrl: string; dataDir: string },
    client: Client,
    slug: string,
    authenticationConfig: object,
  ): Promise<SyncedProgram> {
    const { body } = await client.request(`/api/vendors/platform-vendor-groupings/${slug}`);
    const [{ id: groupingId, connectorId, supportedAuthStrategies }] = body.data;
    const strategy = { authenticationStrategyId: supportedAuthStrategies[0].id, authenticationConfig };
    const created = await client.post('/api/connectors', { groupingId, connectorId, ...strategy });
    if (!created.body.data) throw new Error(created.text);
    return new SyncedProgram(service, client, created.body.data.id);
  }

  get #path(): string {
    return `/api/vendors/tenant-connector-instances/${this.id}`;
  }

  async connection() {
    return (await this.client.request(this.#path)).body.data;
  }

  async startSync(): Promise<void> {
    await this.client.post(`${this.#path}/syncs`, {});
  }

  async endedSync() {
    const latest = async () => (await this.client.request(`${this.#path}/syncs`)).body.data.items[0];
    await waitUntil(async () => (await latest())?.finishedAt !== undefined);
    return (await this.client.request(`/api/syncs/${(await latest()).id}`)).body.data;
  }

  /** Returns the rows in the order of their receipt, in the form of `comparable`. */
  async rowsOf(tap: string): Promise<Record<string, unknown>[]> {
    const files = await queryAsOwner(
      this.service,
      `select f.tenant_id, f.table_id, f.id from table_file f join catalog_table t on t.id = f.table_id
       join tenant_connector_tap d on d.id = t.tap_id
       where d.instance_id = $1 and d.name = $2 and f.kind = 'data' and f.state = 'live'`,
      [decodeId(this.id), tap],
    );
    const paths = files.map((file) =>
      sqlText(join(filesFolderOf(this.service), 'tables', file.tenant_id, file.table_id, 'data', `${file.id}.parquet`)),
    );
    const duckdb = new DuckDb({ folder: this.service.dataDir });
    const rows = await duckdb
      .rows(
        `select to_json(r)::varchar as row from read_parquet([${paths.join(', ')}], union_by_name = true) r order by _received_at`,
      )
      .finally(() => duckdb.close());
    return rows.map(({ row }) => comparable(JSON.parse(row as string)));
  }
}

const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)$/;

/** Removes nulls, nested values and fields whose names start with `_`. Converts times to milliseconds since 1970. */
export function comparable(record: object): Record<string, unknown> {
  const fields = Object.entries(record).filter(
    ([name, value]) => !name.startsWith('_') && value !== null && typeof value !== 'object',
  );
  return Object.fromEntries(fields.map(([name, value]) => [name, timeOf(value) ?? value]));
}

function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  return Date.parse(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}
