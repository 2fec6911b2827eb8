import { queryAsOwner } from './owner-queries.js';

/** Queries that must return no rows while no request is running. */
const INCONSISTENCIES: Readonly<Record<string, string>> = {
  'a connection without its one credential record': `
    select from tenant_connector_instance where credential_id is null and authentication_strategy_id is not null`,
  'a record that is not the current one and not retired': `
    select from credential_metadata as c join tenant_connector_instance as i on i.id = c.instance_id
    where c.id <> i.credential_id and c.status <> 'superseded'`,
  'a current record that is retired, or one of a deleted connection that is not': `
    select from credential_metadata as c join tenant_connector_instance as i on i.credential_id = c.id
    where c.status = 'superseded' or (c.status = 'revoked') <> (i.deleted_at is not null)`,
  'secrets of a record that is retired': `
    select from sealed_credential as s join credential_metadata as c on c.id = s.credential_id
    where c.status in ('superseded', 'revoked')`,
  'a record in use without its secrets': `
    select from credential_metadata as c left join sealed_credential as s on s.credential_id = c.id
    where c.status not in ('superseded', 'revoked') and s.id is null`,
  'a test that is still claimed': `
    select from credential_metadata where tested_until is not null or status = 'validating'`,
  'a connection without its taps, or a deleted one with some': `
    select from tenant_connector_instance as i where i.deleted_at is null and 2 <> (
      select count(*) from tenant_connector_tap as t where t.instance_id = i.id and t.deleted_at is null
    ) or i.deleted_at is not null and exists (
      select from tenant_connector_tap as t where t.instance_id = i.id and t.deleted_at is null
    )`,
  'a connection without an audit entry of its creation': `
    select from tenant_connector_instance as i where 1 <> (
      select count(*) from audit_entry as a where a.object_id = i.id and a.action = 'connector_instance.created'
    )`,
};

export async function countInconsistencies(service: { databaseUrl: string }): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [fault, statement] of Object.entries(INCONSISTENCIES)) {
    const rows = await queryAsOwner(service, statement);
    if (rows.length) found[fault] = rows.length;
  }
  return found;
}
