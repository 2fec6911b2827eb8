import type { SpcSeriesKind } from '../../../src/catalog/model/tap-quality-config.js';
import { decodeId, encodeId, newId, SYSTEM_USER_ID } from '../../../src/kernel/ids.js';
import { seriesIdOf } from '../../../src/quality/contracts/series-key.js';
import type { ContractScope } from '../../../src/quality/contracts/table-contract.js';
import type { CheckResult } from '../../../src/quality/results/table-quality-result.js';
import { toControlLimits } from '../../../src/quality/spc/control-limits.js';
import type { SpcSeries } from '../../../src/quality/spc/table-spc-result.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { queryField } from '../service/callers.js';
import type { Client } from '../service/service.js';
import { publishFile } from '../tables/publish-file.js';
import { fillTable } from '../tables/table-services.js';

type Service = { databaseUrl: string; dataDir: string };
type Row = Record<string, unknown>;

const MEASURED_PEOPLE_CSV =
  'id,name,born,height\n1,Ada,1815-12-10,1.65\n2,Alan,1912-06-23,1.78\n3,Grace,1906-12-09,1.68\n';

export async function aTableWithContracts(service: Service, client: Client): Promise<{ id: string; tapId: string }> {
  const { id: tapId } = await publishFile(client, MEASURED_PEOPLE_CSV);
  await fillTable(service, tapId);
  const query = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { id } } }';
  const { table } = await queryField(client, query, { id: tapId });
  return { id: table.id, tapId };
}

/** Replaces a contract and deletes its results. The keys of `terms` are names of database columns. */
export async function aContract(
  service: Service,
  tableId: string,
  scope: ContractScope = 'data',
  terms: Row = {},
): Promise<string> {
  const [table] = await queryAsOwner(service, 'select tenant_id, schema from catalog_table where id = $1', [
    decodeId(tableId),
  ]);
  const by = decodeId(SYSTEM_USER_ID);
  const row = {
    ...{ id: decodeId(newId()), created_at: new Date(), created_by: by, updated_at: new Date(), updated_by: by },
    ...{ tenant_id: table?.tenant_id, table_id: decodeId(tableId), scope, version: 1, schema: table?.schema },
    ...{ allows_new_columns: true, primary_key: ['id'], sensitive_columns: [], series: [], rules: [] },
    ...{ window_size: 30, min_history_for_violation: 14, sigma_method: 'sample_stddev', extra_spc_rules: [] },
    ...{ run_scope: 'landing', ...terms },
  };
  const former = '(select id from table_contract where table_id = $1 and scope = $2)';
  for (const kind of ['table_spc_result', 'table_quality_result'])
    await queryAsOwner(service, `delete from ${kind} where contract_id in ${former}`, [row.table_id, scope]);
  await queryAsOwner(service, `delete from table_contract where id in ${former}`, [row.table_id, scope]);
  await insert(service, 'table_contract', row);
  return encodeId(row.id as string);
}

/**
 * Points by kind and column. A number is the latest value of a series that is in bounds. An object overrides
 * properties of such a series.
 */
export type SeriesPoints = Record<string, number | Partial<SpcSeries>>;

export async function anSpcResult(
  service: Service,
  contractId: string,
  points: SeriesPoints,
  fields: Row = {},
): Promise<string> {
  const series = Object.entries(points).map(([key, point]) => {
    const seriesKind = key.split(':')[0] as SpcSeriesKind;
    const known = typeof point === 'number' ? { latestValue: point } : point;
    const status = 'IN_BOUNDS' as const;
    const limits = toControlLimits(known.latestValue ?? 0, 0);
    const seriesId = seriesIdOf(contractId, key);
    return { seriesId, seriesKind, status, latestValue: 0, ...limits, violations: [], ...known };
  });
  return aResult(service, contractId, 'table_spc_result', {
    ...{ overall_status: 'IN_BOUNDS', window_size: 30, series, ...fields },
  });
}

export const aCheck = (check: Partial<CheckResult> = {}): CheckResult => ({
  ...{ spec: { id: 'row_count_min', description: 'There are rows.', gate: 'GATE_1' }, status: 'PASS' },
  ...{ key: 'row_count_min', ...check },
});

export function aQualityResult(
  service: Service,
  contractId: string,
  checks: readonly CheckResult[] = [aCheck()],
  fields: Row = {},
): Promise<string> {
  const row = { overall_status: 'PASS', lifecycle: 'promote', checks, measures: { rows: 3 }, ...fields };
  return aResult(service, contractId, 'table_quality_result', row);
}

async function aResult(service: Service, contractId: string, table: string, fields: Row): Promise<string> {
  const contract = decodeId(contractId);
  const [found] = await queryAsOwner(service, 'select tenant_id from table_contract where id = $1', [contract]);
  const id = newId();
  await insert(service, table, {
    ...{ id: decodeId(id), tenant_id: found?.tenant_id, contract_id: contract, run_id: newId() },
    ...{ captured_at: new Date(), is_reported: false, is_degraded: false, ...fields },
  });
  return id;
}

async function insert(service: Service, table: string, row: Row): Promise<void> {
  const statement = `insert into ${table} select * from json_populate_record(null::${table}, $1)`;
  await queryAsOwner(service, statement, [JSON.stringify(row)]);
}
