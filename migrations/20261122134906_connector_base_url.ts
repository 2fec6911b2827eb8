import { Migration } from '@mikro-orm/migrations';

export class Migration20261122134906_connector_base_url extends Migration {

  override name = 'Migration20261122134906_connector_base_url';

  override up(): void | Promise<void> {
    this.addSql(`create table "connector_base_url" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "connector_id" uuid not null, "base_url" text not null, primary key ("id"));`);
    this.addSql(`create index "connector_base_url_connector_id_index" on "connector_base_url" ("connector_id");`);
    this.addSql(`alter table "connector_base_url" add constraint "connector_base_url_tenant_id_connector_id_unique" unique ("tenant_id", "connector_id");`);
    this.addSql(`alter table "connector_base_url" add constraint "connector_base_url_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`alter table "connector_base_url" add constraint "connector_base_url_connector_id_foreign" foreign key ("connector_id") references "connector" ("id") on delete cascade;`);
    this.addSql(`alter table "connector_base_url" enable row level security;`);
    this.addSql(`alter table "connector_base_url" force row level security;`);
    this.addSql(`create policy "tenant" on "connector_base_url" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "connector_base_url" cascade;`);
  }

}
