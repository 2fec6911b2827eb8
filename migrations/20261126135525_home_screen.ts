import { Migration } from '@mikro-orm/migrations';

export class Migration20261126135525_home_screen extends Migration {

  override name = 'Migration20261126135525_home_screen';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tenant_connector_instance" alter column "sync" type jsonb;`);

    this.addSql(`create index "tenant_connector_instance_tenant_id_created_at_id_index" on "tenant_connector_instance" ("tenant_id", "created_at", "id");`);
    this.addSql(`create index "tenant_connector_instance_deleted_index" on "tenant_connector_instance" ("tenant_id", "id") where deleted_at is not null;`);
    this.addSql(`create index "tenant_connector_tap_active_index" on "tenant_connector_tap" ("tenant_id", "instance_id") where enabled and deleted_at is null;`);
    this.addSql(`create index "credential_validation_internal_error_index" on "credential_validation" ("tenant_id", "credential_id") where error_code = 'internal_error';`);
    this.addSql(`create index "sync_job_tenant_id_created_at_id_index" on "sync_job" ("tenant_id", "created_at" desc, "id");`);

    this.addSql(`alter policy "tenant" on "tenant_connector_instance" using (tenant_id = (select nullif(current_setting('taproot.tenant_id', true), '')::uuid as "nullif")) with check (tenant_id = (select nullif(current_setting('taproot.tenant_id', true), '')::uuid as "nullif"));`);
    this.addSql(`alter policy "catalog_load_read" on "tenant_connector_instance" using ((select current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert')));`);
    this.addSql(`alter policy "tenant" on "tenant_connector_tap" using (tenant_id = (select nullif(current_setting('taproot.tenant_id', true), '')::uuid as "nullif")) with check (tenant_id = (select nullif(current_setting('taproot.tenant_id', true), '')::uuid as "nullif"));`);
    this.addSql(`alter policy "catalog_load_read" on "tenant_connector_tap" using ((select current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert')));`);
    this.addSql(`alter policy "catalog_load_add" on "tenant_connector_tap" with check ((select current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert')));`);
    this.addSql(`alter policy "catalog_load_link" on "tenant_connector_tap" using ((select current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert'))) with check ((select current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert')));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter policy "tenant" on "tenant_connector_instance" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
    this.addSql(`alter policy "catalog_load_read" on "tenant_connector_instance" using (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert'));`);
    this.addSql(`alter policy "tenant" on "tenant_connector_tap" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
    this.addSql(`alter policy "catalog_load_read" on "tenant_connector_tap" using (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert'));`);
    this.addSql(`alter policy "catalog_load_add" on "tenant_connector_tap" with check (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert'));`);
    this.addSql(`alter policy "catalog_load_link" on "tenant_connector_tap" using (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert')) with check (current_setting('taproot.catalog_load', true) = 'on' and has_table_privilege('connector_tap', 'insert'));`);

    this.addSql(`drop index "tenant_connector_instance_tenant_id_created_at_id_index";`);
    this.addSql(`drop index "tenant_connector_instance_deleted_index";`);
    this.addSql(`drop index "tenant_connector_tap_active_index";`);
    this.addSql(`drop index "credential_validation_internal_error_index";`);
    this.addSql(`drop index "sync_job_tenant_id_created_at_id_index";`);

    this.addSql(`alter table "tenant_connector_instance" alter column "sync" type json;`);
  }

}
