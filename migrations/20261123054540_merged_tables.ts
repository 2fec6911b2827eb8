import { Migration } from '@mikro-orm/migrations';

export class Migration20261123054540_merged_tables extends Migration {

  override name = 'Migration20261123054540_merged_tables';

  override up(): void | Promise<void> {
    this.addSql(`alter table "connector_tap" add "tombstone_values" json null;`);

    this.addSql(`alter table "tap_run" drop constraint "tap_run_mode_check";`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_mode_check" check ("mode" in ('append', 'replace', 'upsert'));`);

    this.addSql(`alter table "table_file" drop constraint "table_file_kind_check";`);
    this.addSql(`alter table "table_file" add "first_key" text null, add "last_key" text null;`);
    this.addSql(`alter table "table_file" add constraint "table_file_kind_check" check ("kind" in ('data', 'rejects', 'deletes'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "connector_tap" drop column "tombstone_values";`);

    this.addSql(`alter table "table_file" drop constraint "table_file_kind_check";`);
    this.addSql(`alter table "table_file" drop column "first_key", drop column "last_key";`);
    this.addSql(`alter table "table_file" add constraint "table_file_kind_check" check ("kind" in ('data', 'rejects'));`);

    this.addSql(`alter table "tap_run" drop constraint "tap_run_mode_check";`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_mode_check" check ("mode" in ('append', 'replace'));`);
  }

}
