import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import type { GateDecision, IncomingRows, TableHooks } from '../../tables/table-hooks.js';
import type { InspectedRows } from '../checks/inspection.js';
import { createContracts, findContract, readTapFacts } from '../contracts/create-contracts.js';
import { defaultContract, type TapFacts } from '../contracts/default-contract.js';
import type { TableContract } from '../contracts/table-contract.js';
import { enqueueMonitoring, enqueueNextMonitoring } from '../contracts/table-quality-job.js';
import { findLatestMeasured } from '../results/measured-results.js';
import { saveResults } from '../results/save-results.js';
import type { CheckResult, TableQualityResult } from '../results/table-quality-result.js';
import { updateInstanceDegraded } from '../results/update-degraded.js';
import { inspectWithFallback } from './inspect-with-fallback.js';
import { sumRows, toInspectedRows } from './inspected-rows.js';
import type { QualityServices } from './quality-services.js';

/** Characters of why rows do not come in. */
const MAX_REJECTION_LENGTH = 1_000;

/** The watch over tables that goes by their contracts. */
export function gateRows(parts: QualityServices): TableHooks {
  return {
    async openGate(read, table, runId) {
      const known = await readGateBasis(read, table, runId);
      const judgesBatches = 'contract' in known && known.contract.runScope === 'batch';
      return { checksEachBatch: judgesBatches, check: (arrival) => evaluateRows(parts, known, arrival) };
    },
    onTapDeleted: ({ em }, { tenantId, tapId }) => updateInstanceDegraded(em, tenantId, tapId),
    async onTapRestored({ em, read }, { tenantId, tapId }) {
      await updateInstanceDegraded(em, tenantId, tapId);
      const [table] = await read.many(CatalogTable, 'tap', tapId);
      if (table) await enqueueNextMonitoring(parts.jobs, em, { tenantId, tableId: table.id });
    },
  };
}

async function evaluateRows(parts: QualityServices, known: GateBasis, arrival: IncomingRows): Promise<GateDecision> {
  const { runId, attempt, signal, schema } = arrival;
  const { previous } = known;
  const now = new Date();
  const rows = rowsOf(arrival);
  const expected =
    'facts' in known
      ? { ...defaultContract('tap', { ...known.facts, schema }), allowsNewColumns: true }
      : known.contract;
  const found = await inspectWithFallback(parts, { rows, expected, previous, now, signal, attempt, reportId: runId });
  const refusal = rejectionReasonOf(found.checks);
  const run = { runId, lifecycle: 'promote', checks: found.checks } as const;
  return {
    rejectionReason: refusal,
    async save(tx) {
      const contractId =
        'facts' in known
          ? await createContracts(tx, arrival, { ...known.facts, schema }, parts.jobs)
          : known.contract.id;
      if (refusal !== undefined) return saveResults(tx, contractId, { ...run, values: new Map() });
      await saveResults(tx, contractId, { ...run, values: found.values, measures: found.measures });
      await enqueueMonitoringAfter(parts, tx, arrival);
    },
  };
}

/** The contract, or what the one that is about to be made follows from. */
type GateBasis = ({ readonly contract: Lean<TableContract> } | { readonly facts: TapFacts }) & {
  readonly previous: Lean<TableQualityResult> | undefined;
};

async function readGateBasis(
  read: Reader,
  { id, schema }: Pick<CatalogTable, 'id' | 'schema'>,
  runId: string | undefined,
): Promise<GateBasis> {
  const contract = await findContract(read, id, 'tap');
  if (contract) return { contract, previous: await findLatestMeasured(read, contract.id, runId) };
  return { facts: await readTapFacts(read, id, schema), previous: undefined };
}

function rowsOf({ tenantId, tableId, files, schema }: IncomingRows): InspectedRows {
  const { data = [], rejects = [] } = Object.groupBy(files, ({ kind }) => kind);
  return toInspectedRows({ tenantId, tableId, schema, rejectedRows: sumRows(rejects) }, data);
}

/** Why the rows must not become part of the table. */
function rejectionReasonOf(checks: readonly CheckResult[]): string | undefined {
  const failed = checks.filter(({ status, spec }) => status === 'FAIL' && spec.gate === 'GATE_1');
  if (failed.length === 0) return undefined;
  const reasons = failed.map(({ spec, evidence }) => evidence?.message ?? `${spec.id} failed`);
  return reasons.join('; ').slice(0, MAX_REJECTION_LENGTH).toWellFormed();
}

async function enqueueMonitoringAfter(
  { jobs }: QualityServices,
  { em, read }: TenantTransaction,
  { tenantId, tableId }: IncomingRows,
): Promise<void> {
  const table = await read.byId(CatalogTable, tableId);
  await enqueueMonitoring(jobs, em, { tenantId, tableId }, table?.bytes ?? 0);
}
