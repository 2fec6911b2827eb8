import { decodeId } from '../../src/kernel/ids.js';
import { copy, NEW_ID } from './many-connections.js';
import { rowsOf } from './rows.js';

const OF_CONTRACT = 'made_contract where "row".contract_id = made_contract.of';
const RESULT = `${NEW_ID}, 'contract_id', made_contract.id`;

/** Copies a tap so many times, with its publication, its ingest tokens, its table with contracts and results, and the rows of that table's files; without the files themselves. */
export async function multiplyTap(service: { databaseUrl: string }, tapId: string, times: number): Promise<void> {
  const original = `'${decodeId(tapId)}'`;
  const ofTap = `made_tap where "row".tap_id = ${original}`;
  await rowsOf(
    service,
    `create temp table made_tap as select gen_random_uuid() as id, gen_random_uuid() as table_id from generate_series(1, ${times});
     ${copy('tenant_connector_tap', `made_tap where "row".id = ${original}`, `'id', made_tap.id, 'table_name', gen_random_uuid()`)}
     ${copy('publication', ofTap, `${NEW_ID}, 'tap_id', made_tap.id`)}
     ${copy('ingest_token', ofTap, `${NEW_ID}, 'tap_id', made_tap.id, 'hash', gen_random_uuid()`)}
     ${copy('catalog_table', ofTap, `'id', made_tap.table_id, 'tap_id', made_tap.id`)}
     ${copy('table_file', `made_tap, catalog_table t where "row".table_id = t.id and t.tap_id = ${original}`, `${NEW_ID}, 'table_id', made_tap.table_id`)}
     create temp table made_contract as select gen_random_uuid() as id, made_tap.table_id, k.id as of
       from made_tap, table_contract k join catalog_table t on t.id = k.table_id where t.tap_id = ${original};
     ${copy('table_contract', `made_contract where "row".id = made_contract.of`, `'id', made_contract.id, 'table_id', made_contract.table_id`)}
     ${copy('table_spc_result', OF_CONTRACT, RESULT)}
     ${copy('table_quality_result', OF_CONTRACT, RESULT)}
     analyze`,
  );
}
