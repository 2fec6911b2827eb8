import { decodeId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from './owner-queries.js';

/** Does not copy the secrets. */
export async function cloneConnection(
  service: { databaseUrl: string },
  instanceId: string,
  times: number,
): Promise<void> {
  const original = `'${decodeId(instanceId)}'`;
  const ofInstance = `"instance" where "row".instance_id = ${original}`;
  await queryAsOwner(
    service,
    `create temp table "instance" as select gen_random_uuid() as id from generate_series(1, ${times});
     create temp table record as select "instance".id as instance_id, "row".id as old_id, gen_random_uuid() as id
       from credential_metadata as "row", ${ofInstance};
     ${copyStatement('tenant_connector_instance', `"instance" where "row".id = ${original}`, `'id', "instance".id, 'credential_id', null`)}
     ${copyStatement('credential_metadata', 'record where "row".id = record.old_id', `'id', record.id, 'instance_id', record.instance_id`)}
     ${copyStatement('credential_validation', 'record where "row".credential_id = record.old_id', `${NEW_ID_COLUMN}, 'credential_id', record.id`)}
     ${copyStatement('tenant_connector_tap', ofInstance, `${NEW_ID_COLUMN}, 'instance_id', "instance".id, 'table_name', gen_random_uuid()`)}
     ${copyStatement('sync_job', ofInstance, `${NEW_ID_COLUMN}, 'instance_id', "instance".id`)}
     update tenant_connector_instance as i set credential_id = record.id from record
       where record.instance_id = i.id and record.old_id = (select credential_id from tenant_connector_instance where id = ${original});
     analyze`,
  );
}

export const NEW_ID_COLUMN = "'id', gen_random_uuid()";

/**
 * `from` and `changes` refer to the original row as `"row"`. The statement materializes the copies, because
 * `(function(...)).*` calls the function once per column.
 */
export function copyStatement(table: string, from: string, changes: string): string {
  const copied = `jsonb_populate_record(null::${table}, to_jsonb("row") || jsonb_build_object(${changes}))`;
  return `with made as materialized (select ${copied} as one from ${table} as "row", ${from}) insert into ${table} select (one).* from made;`;
}
