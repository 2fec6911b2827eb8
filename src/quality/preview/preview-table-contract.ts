import { decodeId } from '../../kernel/ids.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { readCatalogTable } from '../../tables/existing-table.js';
import type { TableContext } from '../../tables/table-context.js';
import { validatePatterns } from '../checks/validate-patterns.js';
import { changesOf } from '../contracts/contract-changes.js';
import { findContract } from '../contracts/create-contracts.js';
import { readContract } from '../contracts/read-contract.js';
import type { TableContractInput } from '../contracts/table-contract.inputs.js';
import type { TableContract } from '../contracts/table-contract.js';
import { validateContract } from '../contracts/validate-contract.js';
import { TableQualityResult } from '../results/table-quality-result.js';
import { TableSpcResult } from '../spc/table-spc-result.js';
import type { TableContractPreview } from './contract-preview.js';
import { previewChecks } from './preview-checks.js';
import { previewSeries } from './preview-series.js';

/**
 * Number of runs that a preview evaluates. It exceeds the number of points of a chart, because the control limits of a
 * point require earlier points.
 */
const REPLAYED_RUNS = 200;

/** Changes nothing. Throws BAD_REQUEST and NOT_FOUND. */
export async function previewTableContract(
  { read, tableServices }: TableContext,
  { id, version: _, ...input }: TableContractInput,
  runs: number,
): Promise<TableContractPreview> {
  await validatePatterns(tableServices.duckdb, input.rules ?? []);
  const former = await readContract(read, id);
  const { schema } = await readCatalogTable(read, former.table);
  const changes = changesOf(former as unknown as TableContract, input) as Partial<Lean<TableContract>>;
  const changed = overrideRow(former, changes);
  const other = await findContract(read, former.table, former.scope === 'tap' ? 'data' : 'tap');
  validateContract(changed, schema, other?.schema);
  const ofContract = (limit: number) => ({ where: 'contract_id = $1', limit });
  const [results, charts] = await Promise.all([
    read.select(TableQualityResult, ofContract(runs), [decodeId(id)]),
    read.select(TableSpcResult, ofContract(Math.max(REPLAYED_RUNS, runs)), [decodeId(id)]),
  ]);
  return {
    runs: results.length,
    checks: previewChecks(former, changed, results.toReversed()),
    series: previewSeries(changed, charts.toReversed(), runs),
  };
}
