import { Migration } from '@mikro-orm/migrations';

export class Migration20261123122455_drift_policies extends Migration {

  override name = 'Migration20261123122455_drift_policies';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" add "drift_policy" text not null default 'add';`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_drift_policy_check" check ("drift_policy" in ('add', 'freeze'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_drift_policy_check";`);
    this.addSql(`alter table "tenant_connector_tap" drop column "drift_policy";`);
  }

}
