import { Migration } from '@mikro-orm/migrations';

export class Migration20261123090825_object_taps extends Migration {

  override name = 'Migration20261123090825_object_taps';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_tenant_id_instance_id_tap_id_unique";`);
    this.addSql(`alter table "tenant_connector_tap" add "object_name" text not null default '';`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_tenant_id_instance_id_tap_id_dd465_unique" unique ("tenant_id", "instance_id", "tap_id", "object_name");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_tenant_id_instance_id_tap_id_dd465_unique";`);
    this.addSql(`alter table "tenant_connector_tap" drop column "object_name";`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_tenant_id_instance_id_tap_id_unique" unique ("tenant_id", "instance_id", "tap_id");`);
  }

}
