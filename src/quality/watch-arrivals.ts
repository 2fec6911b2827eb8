import type { Lean, Reader } from '../kernel/reading.js';
import type { Transaction } from '../kernel/transaction.js';
import { CatalogTable } from '../tables/catalog-table.js';
import type { Arrival, TableWatch, Verdict } from '../tables/table-watch.js';
import { defaultContract, type TapFacts } from './default-contract.js';
import type { InspectedRows } from './inspection.js';
import { tellInstance } from './keep-degraded.js';
import { keepResults } from './keep-results.js';
import { latestMeasured } from './latest-measured.js';
import { findContract, openContracts, readTapFacts } from './open-contracts.js';
import type { QualityParts } from './quality-context.js';
import { rowsOfFiles, sumOfRows } from './rows-of-files.js';
import type { TableContract } from './table-contract.js';
import { planLook, planNextLook } from './table-quality-job.js';
import type { CheckResult, TableQualityResult } from './table-quality-result.js';
import { tryInspection } from './try-inspection.js';

/** Characters of why rows do not come in. */
const LONGEST_REFUSAL = 1_000;

/** The watch over tables that goes by their contracts. */
export function watchArrivals(parts: QualityParts): TableWatch {
  return {
    async judgeOf(read, table, runId) {
      const known = await readKnown(read, table, runId);
      const judgesBatches = 'contract' in known && known.contract.runScope === 'batch';
      return { judgesBatches, judge: (arrival) => judge(parts, known, arrival) };
    },
    left: ({ em }, { tenantId, tapId }) => tellInstance(em, tenantId, tapId),
    async returned({ em, read }, { tenantId, tapId }) {
      await tellInstance(em, tenantId, tapId);
      const [table] = await read.many(CatalogTable, 'tap', tapId);
      if (table) await planNextLook(parts.jobs, em, { tenantId, tableId: table.id });
    },
  };
}

async function judge(parts: QualityParts, known: Known, arrival: Arrival): Promise<Verdict> {
  const { runId, attempt, signal, schema } = arrival;
  const { previous } = known;
  const now = new Date();
  const rows = rowsOf(arrival);
  const expected =
    'facts' in known
      ? { ...defaultContract('tap', { ...known.facts, schema }), allowsNewColumns: true }
      : known.contract;
  const found = await tryInspection(parts, { rows, expected, previous, now, signal, attempt, reportId: runId });
  const refusal = refusalOf(found.checks);
  const run = { runId, lifecycle: 'promote', checks: found.checks } as const;
  return {
    refusal,
    async keep(tx) {
      const contractId =
        'facts' in known ? await openContracts(tx, arrival, { ...known.facts, schema }, parts.jobs) : known.contract.id;
      if (refusal !== undefined) return keepResults(tx, contractId, { ...run, values: new Map() });
      await keepResults(tx, contractId, { ...run, values: found.values, measures: found.measures });
      await planLookAfter(parts, tx, arrival);
    },
  };
}

/** The contract, or what the one that is about to be made follows from. */
type Known = ({ readonly contract: Lean<TableContract> } | { readonly facts: TapFacts }) & {
  readonly previous: Lean<TableQualityResult> | undefined;
};

async function readKnown(
  read: Reader,
  { id, schema }: Pick<CatalogTable, 'id' | 'schema'>,
  runId: string | undefined,
): Promise<Known> {
  const contract = await findContract(read, id, 'tap');
  if (contract) return { contract, previous: await latestMeasured(read, contract.id, runId) };
  return { facts: await readTapFacts(read, id, schema), previous: undefined };
}

function rowsOf({ tenantId, tableId, files, schema }: Arrival): InspectedRows {
  const { data = [], rejects = [] } = Object.groupBy(files, ({ kind }) => kind);
  return rowsOfFiles({ tenantId, tableId, schema, rejectedRows: sumOfRows(rejects) }, data);
}

/** Why the rows must not become part of the table. */
function refusalOf(checks: readonly CheckResult[]): string | undefined {
  const failed = checks.filter(({ status, spec }) => status === 'FAIL' && spec.gate === 'GATE_1');
  if (failed.length === 0) return undefined;
  const reasons = failed.map(({ spec, evidence }) => evidence?.message ?? `${spec.id} failed`);
  return reasons.join('; ').slice(0, LONGEST_REFUSAL).toWellFormed();
}

async function planLookAfter(
  { jobs }: QualityParts,
  { em, read }: Transaction,
  { tenantId, tableId }: Arrival,
): Promise<void> {
  const table = await read.byId(CatalogTable, tableId);
  await planLook(jobs, em, { tenantId, tableId }, table?.bytes ?? 0);
}
