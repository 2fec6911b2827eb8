import { type DemoClient, waitFor } from './demo-client.js';
import { demoOrders, toCsv } from './demo-orders.js';
import { printDetail } from './demo-output.js';

const MAX_EMAIL_NULL_RATE = 0.2;

interface FoundTable {
  readonly id: string;
  readonly name: string;
  readonly rows: number;
  readonly schema: { readonly fields: readonly { readonly name: string; readonly type: string }[] };
}

const TABLE_OF_TAP = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { id name rows schema } } }';
const CONTRACTS = 'query ($id: Base62Id!) { catalogTable(id: $id) { contracts { id scope } } }';
const UPDATE = 'mutation ($input: TableContractInput!) { updateTableContract(input: $input) { id } }';

export class DemoTable {
  #rows: number;

  private constructor(
    private readonly client: DemoClient,
    readonly id: string,
    private readonly ingestToken: string,
    rows: number,
  ) {
    this.#rows = rows;
  }

  static async publish(client: DemoClient): Promise<DemoTable> {
    const form = new FormData();
    form.append('data', JSON.stringify({ fileName: 'orders.csv', path: '/demo' }));
    form.append('file', new File([toCsv(demoOrders(0))], 'orders.csv'));
    const { artifact } = await client.post<{ artifact: { id: string } }>('/api/artifacts/upload-artifact', form);
    await client.post('/api/artifacts/run-artifact-schema-inference', { artifactId: artifact.id });
    const tap = await client.post<{ id: string }>(`/api/artifacts/${artifact.id}/publish`, { name: 'Orders' });
    const { id, name, rows, schema } = await waitFor('the table of the file', async () => {
      type Answer = { tenantConnectorTap: { table: FoundTable | null } };
      return (await client.query<Answer>(TABLE_OF_TAP, { id: tap.id })).tenantConnectorTap.table ?? undefined;
    });
    printDetail(`${name}: ${rows} rows of ${schema.fields.map((field) => `${field.name} ${field.type}`).join(', ')}`);
    const { token } = await client.post<{ token: string }>('/api/ingest-tokens', { tenantConnectorTapId: tap.id });
    return new DemoTable(client, id, token, rows);
  }

  /** Returns the id of the contract. */
  async requireEmails(): Promise<string> {
    type Answer = { catalogTable: { contracts: { id: string; scope: 'tap' | 'data' }[] } };
    const { contracts } = (await this.client.query<Answer>(CONTRACTS, { id: this.id })).catalogTable;
    const contract = contracts.find(({ scope }) => scope === 'tap');
    if (!contract) throw new Error('The table has no contract with scope tap.');
    const input = {
      id: contract.id,
      runScope: 'batch',
      primaryKey: ['order_id'],
      rules: [
        { type: 'primary_key_null' },
        { type: 'primary_key_unique' },
        { type: 'null_rate', column: 'email', maxRate: MAX_EMAIL_NULL_RATE },
      ],
      series: [
        { kind: 'TABLE_ROW_COUNT' },
        { kind: 'COLUMN_NULL_RATE', column: 'email' },
        { kind: 'COLUMN_MEAN', column: 'amount' },
      ],
    };
    await this.client.query(UPDATE, { input });
    printDetail(`each batch is a run; the null rate of email must be at most ${MAX_EMAIL_NULL_RATE}`);
    return contract.id;
  }

  async push(from: number, to: number, { isFaulty = false } = {}): Promise<void> {
    for (let nth = from; nth <= to; nth++) {
      const orders = demoOrders(nth, isFaulty);
      await this.client.post(`/ingest/${this.ingestToken}`, orders);
      this.#rows += orders.length;
    }
    await waitFor('the rows in the table', async () => {
      const { rows } = await this.client.get<{ rows: number }>(`/api/catalog/tables/${this.id}`);
      return rows >= this.#rows || undefined;
    });
    printDetail(`the table has ${this.#rows} rows`);
  }

  chartOf(seriesId: string): Promise<string> {
    return this.client.getText(`/api/catalog/tables/${this.id}/spc/${encodeURIComponent(seriesId)}.svg`);
  }
}
