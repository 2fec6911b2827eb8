import { Migration } from '@mikro-orm/migrations';

export class Migration20261123124422_table_versions extends Migration {

  override name = 'Migration20261123124422_table_versions';

  override up(): void | Promise<void> {
    this.addSql(`create table "table_version" ("id" uuid not null, "tenant_id" uuid not null, "table_id" uuid not null, "number" int not null, "created_at" timestamptz(3) not null, "readable_until" timestamptz(3) null, "cause" text not null, "tap_run_id" uuid null, "batch" text null, "rows" bigint not null, "bytes" bigint not null, "schema_version" int not null, "added_columns" json null, "changed_types" json null, primary key ("id"));`);
    this.addSql(`create index "table_version_tenant_id_table_id_created_at_index" on "table_version" ("tenant_id", "table_id", "created_at");`);
    this.addSql(`alter table "table_version" add constraint "table_version_tenant_id_table_id_number_unique" unique ("tenant_id", "table_id", "number");`);
    this.addSql(`alter table "table_version" add constraint "table_version_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`alter table "catalog_table" add "version" int not null default 0;`);

    this.addSql(`alter table "table_file" add "from_version" int null, add "until_version" int null;`);

    this.addSql(`alter table "table_version" add constraint "table_version_tenant_id_table_id_foreign" foreign key ("tenant_id", "table_id") references "catalog_table" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "table_version" add constraint "table_version_cause_check" check ("cause" in ('sync', 'push', 'publication', 'merge', 'compaction', 'retention'));`);
    this.addSql(`alter table "table_version" enable row level security;`);
    this.addSql(`alter table "table_version" force row level security;`);
    this.addSql(`create policy "tenant" on "table_version" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "table_version" cascade;`);

    this.addSql(`alter table "catalog_table" drop column "version";`);

    this.addSql(`alter table "table_file" drop column "from_version", drop column "until_version";`);
  }

}
