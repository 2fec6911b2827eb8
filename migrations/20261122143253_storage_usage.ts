import { Migration } from '@mikro-orm/migrations';

export class Migration20261122143253_storage_usage extends Migration {

  override name = 'Migration20261122143253_storage_usage';

  override up(): void | Promise<void> {
    this.addSql(`create table "storage_usage" ("id" uuid not null, "tenant_id" uuid not null, "kind" text not null, "bytes" bigint not null, primary key ("id"));`);
    this.addSql(`alter table "storage_usage" add constraint "storage_usage_tenant_id_kind_unique" unique ("tenant_id", "kind");`);
    this.addSql(`alter table "storage_usage" add constraint "storage_usage_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`alter table "artifact" add "reserved_bytes" bigint not null default '0';`);

    this.addSql(`alter table "workspace" add "storage_quota_bytes" bigint null;`);

    this.addSql(`alter table "storage_usage" add constraint "storage_usage_kind_check" check ("kind" in ('files', 'records', 'tables'));`);
    // Counts existing data. Without these lines, an owner that is not a superuser would see no rows.
    const tables = ['artifact', 'ingest_batch', 'table_file'];
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security;`);
    this.addSql(`insert into "storage_usage" ("id", "tenant_id", "kind", "bytes")
      select gen_random_uuid(), tenant_id, kind, sum(bytes) from (
        select tenant_id, 'files' as kind, file_size as bytes from artifact where deleted_at is null
        union all select tenant_id, 'records', bytes from ingest_batch
        union all select tenant_id, 'tables', bytes from table_file
      ) stored group by tenant_id, kind;`);
    for (const table of tables) this.addSql(`alter table "${table}" force row level security;`);

    this.addSql(`alter table "storage_usage" enable row level security;`);
    this.addSql(`alter table "storage_usage" force row level security;`);
    this.addSql(`create policy "tenant" on "storage_usage" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "storage_usage" cascade;`);

    this.addSql(`alter table "artifact" drop column "reserved_bytes";`);

    this.addSql(`alter table "workspace" drop column "storage_quota_bytes";`);
  }

}
