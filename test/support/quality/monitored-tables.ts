import { randomUUID } from 'node:crypto';
import { decodeId } from '../../../src/kernel/ids.js';
import { runTenantTransaction } from '../../../src/kernel/reading/tenant-transaction.js';
import { findContract } from '../../../src/quality/contracts/create-contracts.js';
import { saveResults } from '../../../src/quality/results/save-results.js';
import { monitorTable } from '../../../src/quality/runs/monitor-table.js';
import type { QualityServices } from '../../../src/quality/runs/quality-services.js';
import type { TableSchema } from '../../../src/tables/table-schema.js';
import { type LoadedTable, loadedTables, loadRun } from '../tables/loaded-tables.js';
import { changeContract, qualityOf } from './quality-results.js';

const SCHEMA: TableSchema = { fields: [{ name: 'word', type: 'String' }] };

const NEVER = new AbortController().signal;

type Changes = Parameters<typeof changeContract>[3];

export async function monitoredTables() {
  const world = await loadedTables();
  return { world, run, monitor, usingFiles, aTable, wait, age, resultsOf, plannedFor, report };

  async function run(table: LoadedTable, ...words: (string | null)[]): Promise<void> {
    const rows = words.map((word) => [word]);
    await loadRun(world.services, table, `run of ${words.join()}`, rows, { receivedAt: new Date().toISOString() });
  }

  function monitor(
    { tenantId, tableId }: LoadedTable,
    {
      attempt = 1,
      services = world.quality,
      signal = NEVER,
    }: { attempt?: number; services?: QualityServices; signal?: AbortSignal } = {},
  ): Promise<void> {
    const job = { id: randomUUID(), attempt, signal };
    return monitorTable(services, { tenantId, tableId }, job);
  }

  /** Returns services that read files through `meddle`, which may prevent the read. */
  function usingFiles(meddle: (use: () => Promise<unknown>) => Promise<unknown>): QualityServices {
    const { inspection } = world.quality;
    const { localFiles } = inspection;
    const use: typeof localFiles.use = (files, work) => meddle(() => localFiles.use(files, work)) as never;
    return {
      ...world.quality,
      inspection: { ...inspection, localFiles: Object.assign(Object.create(localFiles), { use }) },
    };
  }

  async function aTable(changes: Changes, ...words: (string | null)[]): Promise<LoadedTable> {
    const table = await world.aTable(SCHEMA);
    await run(table, ...words);
    await changeContract(world.query, table.tableId, 'data', { rules: [], ...changes });
    return table;
  }

  /** Moves earlier results and contract changes `minutes` further into the past. */
  async function wait({ tableId }: LoadedTable, minutes: number): Promise<void> {
    const earlier = `captured_at = captured_at - make_interval(mins => $2)`;
    const isOfTable = 'contract_id in (select id from table_contract where table_id = $1)';
    for (const from of ['table_quality_result', 'table_spc_result'])
      await world.query(`update ${from} set ${earlier} where ${isOfTable}`, [decodeId(tableId), minutes]);
    const contract =
      'update table_contract set updated_at = updated_at - make_interval(mins => $2) where table_id = $1';
    await world.query(contract, [decodeId(tableId), minutes]);
  }

  /** Moves the time of receipt of all rows back by an hour. */
  async function age({ tableId }: LoadedTable): Promise<void> {
    const earlier = `update table_file set last_received_at = last_received_at - interval '1 hour' where table_id = $1`;
    await world.query(earlier, [decodeId(tableId)]);
  }

  function resultsOf({ tableId }: LoadedTable) {
    return qualityOf(world.query, tableId, 'data');
  }

  /** Maps the key of each enqueued job of the table to the minutes until the job starts. */
  async function plannedFor({ tableId }: LoadedTable): Promise<Record<string, number>> {
    const jobs = await world.query(
      `select replace(singleton_key, $1, 'table') as key, round(extract(epoch from start_after - now()) / 60)::int as minutes
       from taproot_jobs.job where name = 'table-quality' and singleton_key like $1 || '%'`,
      [tableId],
    );
    return Object.fromEntries(jobs.map(({ key, minutes }) => [key, minutes]));
  }

  async function report({ tenantId, tableId }: LoadedTable, runId: string, status: 'PASS' | 'FAIL'): Promise<void> {
    const { em, tables } = world.services;
    const spec = { id: 'own', description: 'A check of the job.', gate: 'GATE_2' as const };
    await runTenantTransaction(em, tables, tenantId, async (tx) => {
      const contract = await findContract(tx.read, tableId, 'data');
      await saveResults(tx, contract?.id as string, {
        ...{ runId, capturedAt: new Date(), lifecycle: 'transform', checks: [{ spec, status, key: 'own' }] },
        values: new Map(),
      });
    });
  }
}
