import { Migration } from '@mikro-orm/migrations';

export class Migration20261123093600_connector_order extends Migration {

  override name = 'Migration20261123093600_connector_order';

  override up(): void | Promise<void> {
    this.addSql(`create index "connector_name_slug_index" on "connector" ("name", "slug");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "connector_name_slug_index";`);
  }

}
