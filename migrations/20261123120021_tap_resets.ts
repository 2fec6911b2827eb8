import { Migration } from '@mikro-orm/migrations';

export class Migration20261123120021_tap_resets extends Migration {

  override name = 'Migration20261123120021_tap_resets';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" add "reset_at" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" drop column "reset_at";`);
  }

}
