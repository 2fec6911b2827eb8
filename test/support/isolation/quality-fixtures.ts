import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import type { TenantRows } from './tenant-rows.js';
import type { WorkspaceFixtures } from './workspace-fixtures.js';

interface Watched {
  readonly contract: string;
  readonly series: string;
}

const UPDATE_CONTRACT = 'mutation ($input: TableContractInput!) { updateTableContract(input: $input) { id } }';
const RECORD = `mutation ($input: TableRunInput!) { recordTableRun(input: $input) {
  contract { latestSpcResult { series { seriesId seriesKind } } } } }`;

export class QualityFixtures {
  constructor(private readonly make: Pick<WorkspaceFixtures, 'ask' | 'text'>) {}

  /** Uses canary values for every free text of contracts and results. Deletes the data contract of `endedTable`. */
  async variety(rows: TenantRows, table: string, endedTable: string): Promise<{ live: Watched; ended: Watched }> {
    const contract = await contractOf(rows, table, 'data');
    const ended = await contractOf(rows, endedTable, 'tap');
    const columns = [this.make.text(), this.make.text()];
    const rules = [
      { type: 'accepted_values', column: columns[0], values: [this.make.text()] },
      { type: 'pattern', column: columns[0], pattern: this.make.text() },
    ];
    const terms = {
      ...{ id: contract, schema: { fields: columns.map((name) => ({ name, type: 'String' })) }, rules },
      ...{ primaryKey: [columns[0]], sensitiveColumns: [columns[1]], timestampColumn: null },
      series: [{ kind: 'COLUMN_NULL_RATE', column: columns[0] }],
    };
    await this.make.ask(UPDATE_CONTRACT, { input: terms });
    const series = await this.run(table, columns[0] as string);
    const own = await contractOf(rows, endedTable, 'data');
    await rows.run('delete from table_contract where id = $1', [decodeId(own)]);
    return { live: { contract, series }, ended: { contract: ended, series: `${ended}:TABLE_ROW_COUNT` } };
  }

  /** Records a report of an external job. Returns the id of the reported series. */
  private async run(tableId: string, column: string): Promise<string> {
    const evidence = {
      message: this.make.text(),
      sampleKeys: [this.make.text()],
      topViolatingValues: [this.make.text()],
    };
    const check = { id: this.make.text(), description: this.make.text(), gate: 'GATE_3', status: 'WARN', evidence };
    const values = [{ kind: 'COLUMN_NULL_RATE', column, value: 0.5 }];
    const input = { tableId, runId: this.make.text(), values, checks: [check] };
    const { contract } = await this.make.ask(RECORD, { input });
    return contract.latestSpcResult.series[0].seriesId;
  }
}

async function contractOf(rows: TenantRows, tableId: string, scope: string): Promise<string> {
  const query = 'select id from table_contract where table_id = $1 and scope = $2';
  const [row] = await rows.run(query, [decodeId(tableId), scope]);
  return encodeId(row?.id as string);
}
