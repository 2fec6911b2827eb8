import { decodeId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { waitUntil } from '../database/test-jobs.js';
import { pushRecords } from '../ingest/pushed-taps.js';
import { flushTap } from '../operations/tap-calls.js';
import type { TestService } from '../service/service.js';
import { fillTables } from '../tables/table-services.js';
import type { WorkspaceFixtures } from './workspace-fixtures.js';

/** Number of tables in the workspace catalog. The fixtures also create a table whose tap they delete. */
const TABLES = 3;

/** In the `live` objects of `variety`, `tap` has no table, and `table` belongs to a different tap. */
interface LoadedObjects {
  readonly tap: string;
  readonly table: string;
  readonly ingestToken: string;
}

export class TableFixtures {
  /** Invalid tokens: a revoked token, and a token of a deleted tap. */
  readonly ended: string[] = [];

  constructor(
    private readonly service: TestService,
    private readonly make: Pick<WorkspaceFixtures, 'ask' | 'text' | 'artifact' | 'connections' | 'written'>,
  ) {}

  async inferredArtifact(): Promise<string> {
    const id = await this.make.artifact();
    await this.make.ask(`mutation { runArtifactSchemaInference(artifactId: "${id}") { artifact { id } } }`);
    return id;
  }

  /** Creates a connection. Its tap has the mode `upsert`, so that other taps can feed its table. */
  async tap(): Promise<string> {
    const instanceId = await this.make.connections.connection();
    const { items } = await this.make.ask(`{ tenantConnectorTaps(instanceId: "${instanceId}") { items { id } } }`);
    const [{ id }] = items;
    await this.make.ask(`mutation { updateTenantConnectorTap(id: "${id}", mode: upsert) { id } }`);
    return id;
  }

  async ingestToken(tapId: string): Promise<{ id: string; token: string }> {
    const query = `mutation { mintIngestToken(tenantConnectorTapId: "${tapId}") { token ingestToken { id } } }`;
    const { token, ingestToken } = await this.make.ask(query);
    return { id: ingestToken.id, token };
  }

  /** Pushes a record that the table rejects, and a record with a new field. Both contain the same canary value. */
  async push({ id, token }: { id: string; token: string }, headers: Record<string, string> = {}): Promise<void> {
    const text = this.make.text();
    this.make.written.push(text);
    const { status, text: reply } = await pushRecords(
      this.service,
      token,
      [{ id: text }, { id: 2, [text]: text }],
      headers,
    );
    if (status !== 202) throw new Error(reply);
    await this.isUsed(id);
  }

  private async feed(tapId: string, targetId: string): Promise<void> {
    const query = `mutation { updateTenantConnectorTap(id: "${tapId}", feedsTapId: "${targetId}") { id } }`;
    await this.make.ask(query);
  }

  /** Refuses the new field of a held record, and then pushes another record, which the service holds. */
  private async holdRecords(tap: string, token: Parameters<TableFixtures['push']>[0]): Promise<void> {
    await this.make.ask(`mutation { updateTenantConnectorTap(id: "${tap}", driftPolicy: ask) { id } }`);
    await this.push(token);
    await flushTap(this.service, tap);
    await this.make.ask(`mutation { decideHeldRecords(id: "${tap}", accept: false) { id } }`);
    await this.push(token);
    await flushTap(this.service, tap);
  }

  /** Waits until the service has recorded the use of the token in the background. */
  async isUsed(tokenId: string): Promise<void> {
    const used = 'select from ingest_token where id = $1 and last_used_at is not null';
    await waitUntil(async () => (await queryAsOwner(this.service, used, [decodeId(tokenId)])).length > 0);
  }

  /** Creates tables, publications and tokens in many states. */
  async variety(): Promise<{ live: LoadedObjects; ended: LoadedObjects }> {
    const taps = [];
    for (let made = 0; made < TABLES + 3; made++) taps.push(await this.publishedTap());
    const [tap, deleted] = taps as [string, string];
    await fillTables(this.service, taps.slice(0, TABLES + 1));
    const [token, revoked, rotated] = [
      await this.ingestToken(tap),
      await this.ingestToken(tap),
      await this.ingestToken(tap),
    ];
    this.ended.push(revoked.token, (await this.ingestToken(deleted)).token);
    await this.make.ask(`mutation { revokeIngestToken(id: "${revoked.id}") }`);
    await this.make.ask(`mutation { rotateIngestToken(id: "${rotated.id}") { token } }`);
    await this.push(token);
    await flushTap(this.service, tap);
    await this.holdRecords(tap, token);
    await this.push(token);
    const ended = { tap: deleted, table: await this.tableOf(deleted), ingestToken: revoked.id };
    await this.make.ask(`mutation { deleteTenantConnectorTap(id: "${deleted}") }`);
    const others = [await this.tap(), await this.tap()] as const;
    for (const other of others) await this.ingestToken(other);
    await this.feed(...others);
    return { live: { tap: await this.tap(), table: await this.tableOf(tap), ingestToken: token.id }, ended };
  }

  async publishedTap(): Promise<string> {
    const artifactId = await this.inferredArtifact();
    const query = `mutation ($name: String!) { publishArtifact(artifactId: "${artifactId}", name: $name) { id } }`;
    return (await this.make.ask(query, { name: this.make.text() })).id;
  }

  private async tableOf(tapId: string): Promise<string> {
    return (await this.make.ask(`{ tenantConnectorTap(id: "${tapId}") { table { id } } }`)).table.id;
  }
}
