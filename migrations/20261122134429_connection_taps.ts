import { Migration } from '@mikro-orm/migrations';

export class Migration20261122134429_connection_taps extends Migration {

  override name = 'Migration20261122134429_connection_taps';

  override up(): void | Promise<void> {
    this.addSql(`alter table "catalog_revision" add "reached_connections" boolean not null default false;`);

    this.addSql(`create policy "catalog_load_read" on "tenant_connector_instance" for select using (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert'));`);

    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_tenant_id_instance_id_tap_id_unique" unique ("tenant_id", "instance_id", "tap_id");`);
    this.addSql(`create policy "catalog_load_read" on "tenant_connector_tap" for select using (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert'));`);
    this.addSql(`create policy "catalog_load_add" on "tenant_connector_tap" for insert with check (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert'));`);
    this.addSql(`create policy "catalog_load_link" on "tenant_connector_tap" for update using (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert')) with check (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop policy "catalog_load_read" on "tenant_connector_instance";`);

    this.addSql(`drop policy "catalog_load_read" on "tenant_connector_tap";`);
    this.addSql(`drop policy "catalog_load_add" on "tenant_connector_tap";`);
    this.addSql(`drop policy "catalog_load_link" on "tenant_connector_tap";`);

    this.addSql(`alter table "catalog_revision" drop column "reached_connections";`);

    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_tenant_id_instance_id_tap_id_unique";`);
  }

}
