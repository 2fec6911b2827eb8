import { Migration } from '@mikro-orm/migrations';

export class Migration20261123120749_history_mode extends Migration {

  override name = 'Migration20261123120749_history_mode';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_mode_check";`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_mode_check" check ("mode" in ('append', 'replace', 'upsert', 'history'));`);

    this.addSql(`alter table "tap_run" drop constraint "tap_run_mode_check";`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_mode_check" check ("mode" in ('append', 'replace', 'upsert', 'history'));`);

    this.addSql(`alter table "table_file" drop constraint "table_file_kind_check";`);
    this.addSql(`alter table "table_file" add constraint "table_file_kind_check" check ("kind" in ('data', 'rejects', 'deletes', 'unchanged'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "table_file" drop constraint "table_file_kind_check";`);
    this.addSql(`alter table "table_file" add constraint "table_file_kind_check" check ("kind" in ('data', 'rejects', 'deletes'));`);

    this.addSql(`alter table "tap_run" drop constraint "tap_run_mode_check";`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_mode_check" check ("mode" in ('append', 'replace', 'upsert'));`);

    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_mode_check";`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_mode_check" check ("mode" in ('append', 'replace', 'upsert'));`);
  }

}
