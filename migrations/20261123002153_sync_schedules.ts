import { Migration } from '@mikro-orm/migrations';

export class Migration20261123002153_sync_schedules extends Migration {

  override name = 'Migration20261123002153_sync_schedules';

  override up(): void | Promise<void> {
    this.addSql(`create table "sync_schedule" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "instance_id" uuid not null, "kind" text not null, "interval_minutes" int null, "cron" text null, "timezone" text not null, "quiet_from" text null, "quiet_until" text null, "next_run_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "sync_schedule" add constraint "sync_schedule_tenant_id_instance_id_unique" unique ("tenant_id", "instance_id");`);
    this.addSql(`alter table "sync_schedule" add constraint "sync_schedule_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`alter table "sync_schedule" add constraint "sync_schedule_tenant_id_instance_id_foreign" foreign key ("tenant_id", "instance_id") references "tenant_connector_instance" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "sync_schedule" add constraint "sync_schedule_kind_check" check ("kind" in ('interval', 'cron', 'manual', 'external'));`);
    this.addSql(`alter table "sync_schedule" enable row level security;`);
    this.addSql(`alter table "sync_schedule" force row level security;`);
    this.addSql(`create policy "tenant" on "sync_schedule" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "sync_schedule" cascade;`);
  }

}
