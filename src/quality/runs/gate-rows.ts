import type { Lean, Reader } from '../../kernel/reading/reader.js';
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

const MAX_REJECTION_LENGTH = 1_000;

/**
 * The hooks check incoming rows against the contract with scope `tap`, update degraded marks, and resume the monitoring
 * of a restored table.
 */
export function gateRows(services: QualityServices): TableHooks {
  return {
    async openGate(read, table, runId) {
      const known = await readGateBasis(read, table, runId);
      const checksEachBatch = 'contract' in known && known.contract.runScope === 'batch';
      return { checksEachBatch, check: (incoming) => evaluateRows(services, known, incoming) };
    },
    onTapDeleted: ({ em }, { tenantId, tapId }) => updateInstanceDegraded(em, tenantId, tapId),
    async onTapRestored({ em, read }, { tenantId, tapId }) {
      await updateInstanceDegraded(em, tenantId, tapId);
      const [table] = await read.many(CatalogTable, 'tap', tapId);
      if (table) await enqueueNextMonitoring(services.jobs, em, { tenantId, tableId: table.id });
    },
  };
}

async function evaluateRows(
  services: QualityServices,
  known: GateBasis,
  incoming: IncomingRows,
): Promise<GateDecision> {
  const { runId, attempt, signal, schema } = incoming;
  const { previous } = known;
  const now = new Date();
  const rows = rowsOf(incoming);
  const expected =
    'facts' in known
      ? { ...defaultContract('tap', { ...known.facts, schema }), allowsNewColumns: true }
      : known.contract;
  const task = { rows, expected, previous, now, signal, attempt, reportId: runId };
  const { checks, values, measures } = await inspectWithFallback(services, task);
  const failed = failedChecksOf(checks);
  const rejectionReason = rejectionReasonOf(failed);
  const run = { runId, lifecycle: 'promote', checks } as const;
  return {
    rejectionReason,
    canBeAccepted: failed.length > 0 && failed.every(({ key }) => key === 'missing_rate'),
    async save(tx) {
      const contractId =
        'facts' in known
          ? await createContracts(tx, incoming, { ...known.facts, schema }, services.jobs)
          : known.contract.id;
      if (rejectionReason !== undefined) return saveResults(tx, contractId, { ...run, values: new Map() });
      await saveResults(tx, contractId, { ...run, values, measures });
      await enqueueMonitoring(services.jobs, tx.em, incoming, known.bytes);
    },
  };
}

/**
 * Before the first rows, the table has no contract, but only the facts from which the service will derive the contract.
 */
type GateBasis = ({ readonly contract: Lean<TableContract> } | { readonly facts: TapFacts }) & {
  readonly previous: Lean<TableQualityResult> | undefined;
  readonly bytes: number;
};

async function readGateBasis(
  read: Reader,
  { id, schema, bytes }: Pick<CatalogTable, 'id' | 'schema' | 'bytes'>,
  runId: string | undefined,
): Promise<GateBasis> {
  const contract = await findContract(read, id, 'tap');
  if (contract) return { contract, previous: await findLatestMeasured(read, contract.id, runId), bytes };
  return { facts: await readTapFacts(read, id, schema), previous: undefined, bytes };
}

function rowsOf({ tenantId, tableId, files, replaced, missingRecords, schema }: IncomingRows): InspectedRows {
  const { data = [], rejects = [] } = Object.groupBy(files, ({ kind }) => kind);
  const owner = { tenantId, tableId, schema, rejectedRows: sumRows(rejects) };
  return { ...toInspectedRows(owner, data), replaced: replaced && toInspectedRows(owner, replaced), missingRecords };
}

function failedChecksOf(checks: readonly CheckResult[]): readonly CheckResult[] {
  return checks.filter(({ status, spec }) => status === 'FAIL' && spec.gate === 'GATE_1');
}

/** Returns undefined if no check of GATE_1 failed. */
function rejectionReasonOf(failed: readonly CheckResult[]): string | undefined {
  if (failed.length === 0) return undefined;
  const reasons = failed.map(({ spec, evidence }) => evidence?.message ?? `${spec.id} failed`);
  return reasons.join('; ').slice(0, MAX_REJECTION_LENGTH).toWellFormed();
}
