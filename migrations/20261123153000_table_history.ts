import { Migration } from '@mikro-orm/migrations';

const TABLES = ['catalog_table', 'table_file', 'tenant_connector_tap', 'audit_entry'];

/**
 * Marks tables with a history. These are tables of taps with the mode `history`, tables with files of the kind
 * `unchanged`, and tables whose taps changed from the mode `history` to `append` or `replace`.
 */
export class Migration20261123153000_table_history extends Migration {

  override name = 'Migration20261123153000_table_history';

  override up(): void | Promise<void> {
    this.addSql(`alter table "catalog_table" add "has_history" boolean not null default false;`);
    for (const table of TABLES) this.addSql(`alter table "${table}" no force row level security;`);
    this.addSql(`update "catalog_table" t set has_history = true
      from tenant_connector_tap tap left join connector_tap d on d.id = tap.tap_id
      where tap.tenant_id = t.tenant_id and tap.id = t.tap_id and t.rows > 0 and (
        coalesce(tap.mode, d.sync ->> 'tableMode') = 'history'
        or exists (select from table_file f
          where f.tenant_id = t.tenant_id and f.table_id = t.id and f.kind = 'unchanged' and f.state = 'live')
        or (tap.mode in ('append', 'replace') and exists (select from audit_entry a
          where a.tenant_id = tap.tenant_id and a.object_id = tap.id and a.details ->> 'mode' = 'history')));`);
    for (const table of TABLES) this.addSql(`alter table "${table}" force row level security;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "catalog_table" drop column "has_history";`);
  }

}
