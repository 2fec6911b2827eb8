import { Migration } from '@mikro-orm/migrations';

export class Migration20261123124241_table_merger extends Migration {

  override name = 'Migration20261123124241_table_merger';

  override up(): void | Promise<void> {
    this.addSql(`alter table "catalog_table" add "merged_by" text not null default 'service';`);
    this.addSql(`alter table "catalog_table" add constraint "catalog_table_merged_by_check" check ("merged_by" in ('service', 'reader'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "catalog_table" drop constraint "catalog_table_merged_by_check";`);
    this.addSql(`alter table "catalog_table" drop column "merged_by";`);
  }

}
