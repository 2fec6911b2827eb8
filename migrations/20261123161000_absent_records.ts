import { Migration } from '@mikro-orm/migrations';

export class Migration20261123161000_absent_records extends Migration {

  override name = 'Migration20261123161000_absent_records';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tap_run" add "deletes_absent" boolean not null default false;`);

    this.addSql(`alter table "table_file" drop constraint "table_file_kind_check";`);
    this.addSql(`alter table "table_file" add constraint "table_file_kind_check" check ("kind" in ('data', 'rejects', 'held', 'deletes', 'unchanged', 'keys'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "table_file" drop constraint "table_file_kind_check";`);
    this.addSql(`alter table "table_file" add constraint "table_file_kind_check" check ("kind" in ('data', 'rejects', 'held', 'deletes', 'unchanged'));`);

    this.addSql(`alter table "tap_run" drop column "deletes_absent";`);
  }

}
