import { Migration } from '@mikro-orm/migrations';

export class Migration20261122145609_planned_strategies extends Migration {

  override name = 'Migration20261122145609_planned_strategies';

  override up(): void | Promise<void> {
    this.addSql(`alter table "platform_vendor_grouping" add "strategies_of_id" uuid null;`);
    this.addSql(`alter table "platform_vendor_grouping" add constraint "platform_vendor_grouping_strategies_of_id_foreign" foreign key ("strategies_of_id") references "connector" ("id") on delete set null;`);
    this.addSql(`create index "platform_vendor_grouping_strategies_of_id_index" on "platform_vendor_grouping" ("strategies_of_id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "platform_vendor_grouping" drop constraint "platform_vendor_grouping_strategies_of_id_foreign";`);

    this.addSql(`drop index "platform_vendor_grouping_strategies_of_id_index";`);
    this.addSql(`alter table "platform_vendor_grouping" drop column "strategies_of_id";`);
  }

}
