import { Migration } from '@mikro-orm/migrations';

export class Migration20261123061105_tap_modes extends Migration {

  override name = 'Migration20261123061105_tap_modes';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" add "mode" text null, add "deleted_rows" text not null default 'remove';`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_mode_check" check ("mode" in ('append', 'replace', 'upsert'));`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_deleted_rows_check" check ("deleted_rows" in ('remove', 'mark'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_mode_check";`);
    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_deleted_rows_check";`);
    this.addSql(`alter table "tenant_connector_tap" drop column "mode", drop column "deleted_rows";`);
  }

}
