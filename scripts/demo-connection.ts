import { type DemoClient, waitFor } from './demo-client.js';
import { printDetail } from './demo-output.js';

interface Grouping {
  readonly id: string;
  readonly connectorId: string;
  readonly supportedAuthStrategies: readonly [{ readonly id: string }];
}

interface Sync {
  readonly id: string;
  readonly status: string;
  readonly tapRuns: readonly {
    readonly tap: { readonly name: string };
    readonly status: string;
    readonly recordsRead: number;
    readonly recordsWritten: number;
    readonly requests: number;
  }[];
}

interface Table {
  readonly tap: { readonly name: string };
  readonly rows: number;
}

export class DemoConnection {
  private constructor(
    private readonly client: DemoClient,
    readonly id: string,
  ) {}

  static async create(client: DemoClient, { apiKey = 'demo-key', name = '' } = {}): Promise<DemoConnection> {
    const path = '/api/vendors/platform-vendor-groupings/fake-shop';
    const [grouping] = (await client.get<Grouping[]>(path)) as [Grouping];
    const { id } = await client.post<{ id: string }>('/api/connectors', {
      ...{ groupingId: grouping.id, connectorId: grouping.connectorId },
      authenticationStrategyId: grouping.supportedAuthStrategies[0].id,
      authenticationConfig: { apiKey },
      ...(name && { name }),
    });
    return new DemoConnection(client, id);
  }

  get #path(): string {
    return `/api/vendors/tenant-connector-instances/${this.id}`;
  }

  async status(): Promise<string> {
    return (await this.client.get<{ connectionStatus: string }>(this.#path)).connectionStatus;
  }

  async startSync(): Promise<void> {
    await this.client.post(`${this.#path}/syncs`, {});
  }

  async credentialResult(): Promise<void> {
    await waitFor('the credential test', async () => {
      const status = await this.status();
      return status === 'validation_pending' ? undefined : status;
    });
  }

  async endOfSync(): Promise<Sync> {
    return waitFor('the end of the sync', async () => {
      const [latest] = (await this.client.get<{ items: Sync[] }>(`${this.#path}/syncs`)).items;
      const hasEnded = latest && !['pending', 'queued', 'running'].includes(latest.status);
      return hasEnded ? this.client.get<Sync>(`/api/syncs/${latest.id}`) : undefined;
    });
  }

  async printEndedSync(): Promise<void> {
    const { tapRuns, status } = await this.endOfSync();
    printDetail(`sync: ${status}; connection: ${await this.status()}`);
    for (const { tap, recordsRead, recordsWritten, requests } of tapRuns)
      printDetail(`  ${tap.name}: ${recordsRead} records read, ${recordsWritten} written, ${requests} requests`);
  }

  async printTables(): Promise<Record<string, number>> {
    const { items } = await this.client.get<{ items: Table[] }>('/api/catalog/tables');
    items.sort((one, other) => one.tap.name.localeCompare(other.tap.name));
    printDetail(`tables: ${items.map(({ tap, rows }) => `${tap.name} ${rows} rows`).join(', ') || 'none'}`);
    return Object.fromEntries(items.map(({ tap, rows }) => [tap.name, rows]));
  }
}
