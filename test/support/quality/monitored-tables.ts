import { randomUUID } from 'node:crypto';
import { decodeId } from '../../../src/kernel/ids.js';
import { runTenantTransaction } from '../../../src/kernel/reading/tenant-transaction.js';
import { findContract } from '../../../src/quality/contracts/create-contracts.js';
import { saveResults } from '../../../src/quality/results/save-results.js';
import { monitorTable } from '../../../src/quality/runs/monitor-table.js';
import type { QualityServices } from '../../../src/quality/runs/quality-services.js';
import { withTableLease } from '../../../src/tables/files/table-lease.js';
import type { TableSchema } from '../../../src/tables/table-schema.js';
import { commitFiles, gateFiles, type LoadedTable, loadedTables, writeFiles } from '../tables/loaded-tables.js';
import { changeContract, qualityOf } from './quality-results.js';

const SCHEMA: TableSchema = { fields: [{ name: 'word', type: 'String' }] };

const NEVER = new AbortController().signal;

type Changes = Parameters<typeof changeContract>[3];

/** Runs that come into tables, and looks at these, for one test file. */
export async function monitoredTables() {
  const world = await loadedTables();
  return { world, run, look, usingFiles, aTable, wait, age, looksAt, plannedFor, report };

  /** A run that brings these words. */
  async function run(table: LoadedTable, ...words: (string | null)[]): Promise<void> {
    const { parts } = world;
    const { tenantId, tableId, schema } = table;
    await withTableLease(parts, tenantId, tableId, async (lease) => {
      const receivedAt = new Date().toISOString();
      const files = await writeFiles(
        parts,
        table,
        words.map((word) => [word]),
        { receivedAt },
      );
      const runId = `run of ${words.join()}`;
      const verdict = await gateFiles(parts, { tenantId, tableId, runId, files, schema, attempt: 1, signal: NEVER });
      await runTenantTransaction(parts.em, parts.tables, tenantId, (tx) => verdict.save(tx));
      await commitFiles(parts, lease, { added: files });
    });
  }

  function look(
    { tenantId, tableId }: LoadedTable,
    {
      attempt = 1,
      parts = world.quality,
      signal = NEVER,
    }: { attempt?: number; parts?: QualityServices; signal?: AbortSignal } = {},
  ): Promise<void> {
    const job = { id: randomUUID(), attempt, signal };
    return monitorTable(parts, { tenantId, tableId }, job);
  }

  /** Looks with somebody in between who may keep them from the files. */
  function usingFiles(meddle: (use: () => Promise<unknown>) => Promise<unknown>): QualityServices {
    const { inspection } = world.quality;
    const { localFiles } = inspection;
    const use: typeof localFiles.use = (files, work) => meddle(() => localFiles.use(files, work)) as never;
    return {
      ...world.quality,
      inspection: { ...inspection, localFiles: Object.assign(Object.create(localFiles), { use }) },
    };
  }

  /** A table with the rows of one run, and contracts that say this of all of them. */
  async function aTable(changes: Changes, ...words: (string | null)[]): Promise<LoadedTable> {
    const table = await world.aTable(SCHEMA);
    await run(table, ...words);
    await changeContract(world.ask, table.tableId, 'data', { rules: [], ...changes });
    return table;
  }

  /** Some time goes by, for all that was found so far. */
  async function wait({ tableId }: LoadedTable, minutes: number): Promise<void> {
    const earlier = `captured_at = captured_at - make_interval(mins => $2)`;
    const isOfTable = 'contract_id in (select id from table_contract where table_id = $1)';
    for (const from of ['table_quality_result', 'table_spc_result'])
      await world.ask(`update ${from} set ${earlier} where ${isOfTable}`, [decodeId(tableId), minutes]);
    const contract =
      'update table_contract set updated_at = updated_at - make_interval(mins => $2) where table_id = $1';
    await world.ask(contract, [decodeId(tableId), minutes]);
  }

  /** What is in the table came an hour earlier. */
  async function age({ tableId }: LoadedTable): Promise<void> {
    const earlier = `update table_file set last_received_at = last_received_at - interval '1 hour' where table_id = $1`;
    await world.ask(earlier, [decodeId(tableId)]);
  }

  function looksAt({ tableId }: LoadedTable) {
    return qualityOf(world.ask, tableId, 'data');
  }

  /** What waits to be done about a table: in how many minutes, by the key of the job. */
  async function plannedFor({ tableId }: LoadedTable): Promise<Record<string, number>> {
    const jobs = await world.ask(
      `select replace(singleton_key, $1, 'table') as key, round(extract(epoch from start_after - now()) / 60)::int as minutes
       from taproot_jobs.job where name = 'table-quality' and singleton_key like $1 || '%'`,
      [tableId],
    );
    return Object.fromEntries(jobs.map(({ key, minutes }) => [key, minutes]));
  }

  /** What a job elsewhere says about the table. */
  async function report({ tenantId, tableId }: LoadedTable, runId: string, status: 'PASS' | 'FAIL'): Promise<void> {
    const { em, tables } = world.parts;
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
