import { decodeId } from '../../../src/kernel/ids.js';
import { copyStatement, NEW_ID_COLUMN } from './clone-connections.js';
import { queryAsOwner } from './owner-queries.js';

const OF_CONTRACT = 'made_contract where "row".contract_id = made_contract.of';
const RESULT = `${NEW_ID_COLUMN}, 'contract_id', made_contract.id`;

/** The copies share the files of the table. */
export async function cloneTap(service: { databaseUrl: string }, tapId: string, times: number): Promise<void> {
  const original = `'${decodeId(tapId)}'`;
  const ofTap = `made_tap where "row".tap_id = ${original}`;
  await queryAsOwner(
    service,
    `create temp table made_tap as select gen_random_uuid() as id, gen_random_uuid() as table_id from generate_series(1, ${times});
     ${copyStatement('tenant_connector_tap', `made_tap where "row".id = ${original}`, `'id', made_tap.id, 'table_name', gen_random_uuid()`)}
     ${copyStatement('publication', ofTap, `${NEW_ID_COLUMN}, 'tap_id', made_tap.id`)}
     ${copyStatement('ingest_token', ofTap, `${NEW_ID_COLUMN}, 'tap_id', made_tap.id, 'hash', gen_random_uuid()`)}
     ${copyStatement('catalog_table', ofTap, `'id', made_tap.table_id, 'tap_id', made_tap.id`)}
     ${copyStatement('table_file', `made_tap, catalog_table t where "row".table_id = t.id and t.tap_id = ${original}`, `${NEW_ID_COLUMN}, 'table_id', made_tap.table_id`)}
     create temp table made_contract as select gen_random_uuid() as id, made_tap.table_id, k.id as of
       from made_tap, table_contract k join catalog_table t on t.id = k.table_id where t.tap_id = ${original};
     ${copyStatement('table_contract', `made_contract where "row".id = made_contract.of`, `'id', made_contract.id, 'table_id', made_contract.table_id`)}
     ${copyStatement('table_spc_result', OF_CONTRACT, RESULT)}
     ${copyStatement('table_quality_result', OF_CONTRACT, RESULT)}
     analyze`,
  );
}
