import pg from 'pg';
import { encodeId } from '../../src/kernel/ids.js';

const TABLE_COUNT = 500;
const RUN_COUNT = 10;
export const SERIES_COUNT = 6;
export const CONTRACT_COUNT = TABLE_COUNT * 2;

const AUDITED = 'created_at, created_by, updated_at, updated_by';
const NOW = `now(), $1::uuid, now(), $1::uuid`;

/** SQL of a series as the service stores it, with fields in the order of the API. */
const ONE_SERIES = `json_build_object('seriesId', 'ID:COLUMN_NULL_RATE:column_' || one, 'seriesKind', 'COLUMN_NULL_RATE', 'status', 'OUT_OF_CONTROL',
  'latestValue', random(), 'mean', random(), 'stddev', random(), 'lowerControl3Sigma', random(), 'lowerWarning2Sigma', random(),
  'upperWarning2Sigma', random(), 'upperControl3Sigma', random(), 'violations', json_build_array(
    json_build_object('ruleId', 'NELSON_1', 'description', 'The latest point lies beyond 3 sigma.', 'pointsInvolved', 1)), 'trendSlope', random())`;

const STATEMENTS = [
  `insert into tenant_connector_tap (id, ${AUDITED}, tenant_id, name, enabled, table_name, promoted_at)
   select gen_random_uuid(), ${NOW}, $1, 'Table ' || n, true, 'table_' || n, now() from generate_series(1, ${TABLE_COUNT}) n`,
  `insert into catalog_table (id, ${AUDITED}, tenant_id, tap_id, schema, schema_version, rows, bytes, file_count, rejected_rows)
   select gen_random_uuid(), ${NOW}, $1, id, '{"fields":[]}', 1, 0, 0, 0, 0 from tenant_connector_tap where tenant_id = $1`,
  `insert into table_contract (id, ${AUDITED}, tenant_id, table_id, scope, version, schema, allows_new_columns, primary_key, sensitive_columns,
     series, rules, window_size, min_history_for_violation, sigma_method, extra_spc_rules, run_scope)
   select gen_random_uuid(), ${NOW}, $1, t.id, scope, 1, t.schema, true, '[]', '[]', '[]', '[]', 30, 14, 'sample_stddev', '[]', 'landing'
   from catalog_table t, unnest(array['tap', 'data']) scope where tenant_id = $1`,
  `insert into table_spc_result (id, tenant_id, contract_id, run_id, captured_at, overall_status, window_size, series)
   select gen_random_uuid(), $1, k.id, 'run ' || run, '2026-01-01'::timestamptz + run * interval '1 hour', 'OUT_OF_CONTROL', 30,
     (select json_agg(${ONE_SERIES}) from generate_series(1, ${SERIES_COUNT}) one where run > 0)
   from table_contract k, generate_series(1, ${RUN_COUNT}) run where tenant_id = $1`,
];

export async function fillSpcResults(url: string, slug: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('select id from workspace where slug = $1', [slug]);
    for (const statement of STATEMENTS) await client.query(statement, [rows[0].id]);
    await client.query('vacuum analyze');
    return encodeId(rows[0].id);
  } finally {
    await client.end();
  }
}
