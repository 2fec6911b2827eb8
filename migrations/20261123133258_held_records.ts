import { Migration } from '@mikro-orm/migrations';

export class Migration20261123133258_held_records extends Migration {

  override name = 'Migration20261123133258_held_records';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_drift_policy_check";`);
    this.addSql(`alter table "tenant_connector_tap" add "refused_fields" json null;`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_drift_policy_check" check ("drift_policy" in ('add', 'ask', 'freeze'));`);

    this.addSql(`alter table "catalog_table" add "held_records" bigint not null default '0', add "proposed_columns" json null;`);

    this.addSql(`alter table "table_version" drop constraint "table_version_cause_check";`);
    this.addSql(`alter table "table_version" add constraint "table_version_cause_check" check ("cause" in ('sync', 'push', 'publication', 'merge', 'compaction', 'decision', 'retention'));`);

    this.addSql(`alter table "table_file" drop constraint "table_file_kind_check";`);
    this.addSql(`alter table "table_file" add "proposed_columns" json null;`);
    this.addSql(`alter table "table_file" add constraint "table_file_kind_check" check ("kind" in ('data', 'rejects', 'held', 'deletes', 'unchanged'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "catalog_table" drop column "held_records", drop column "proposed_columns";`);

    this.addSql(`alter table "table_file" drop constraint "table_file_kind_check";`);
    this.addSql(`alter table "table_file" drop column "proposed_columns";`);
    this.addSql(`alter table "table_file" add constraint "table_file_kind_check" check ("kind" in ('data', 'rejects', 'deletes', 'unchanged'));`);

    this.addSql(`alter table "table_version" drop constraint "table_version_cause_check";`);
    this.addSql(`alter table "table_version" add constraint "table_version_cause_check" check ("cause" in ('sync', 'push', 'publication', 'merge', 'compaction', 'retention'));`);

    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_drift_policy_check";`);
    this.addSql(`alter table "tenant_connector_tap" drop column "refused_fields";`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_drift_policy_check" check ("drift_policy" in ('add', 'freeze'));`);
  }

}
