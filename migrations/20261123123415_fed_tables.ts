import { Migration } from '@mikro-orm/migrations';

export class Migration20261123123415_fed_tables extends Migration {

  override name = 'Migration20261123123415_fed_tables';

  override up(): void | Promise<void> {
    this.addSql(`alter table "connector_tap" add "feeds" json null;`);

    this.addSql(`alter table "tenant_connector_tap" add "feeds_tap_id" uuid null;`);
    this.addSql(`create index "tenant_connector_tap_feeds_tap_id_index" on "tenant_connector_tap" ("feeds_tap_id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "connector_tap" drop column "feeds";`);

    this.addSql(`drop index "tenant_connector_tap_feeds_tap_id_index";`);
    this.addSql(`alter table "tenant_connector_tap" drop column "feeds_tap_id";`);
  }

}
