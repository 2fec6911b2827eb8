import { Migration } from '@mikro-orm/migrations';

export class Migration20261123023748_sync_timelines extends Migration {

  override name = 'Migration20261123023748_sync_timelines';

  override up(): void | Promise<void> {
    this.addSql(`create table "tap_run_log" ("id" uuid not null, "tenant_id" uuid not null, "tap_run_id" uuid not null, "steps" json not null, "requests" json not null, primary key ("id"));`);
    this.addSql(`alter table "tap_run_log" add constraint "tap_run_log_tenant_id_tap_run_id_unique" unique ("tenant_id", "tap_run_id");`);
    this.addSql(`alter table "tap_run_log" add constraint "tap_run_log_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`alter table "tap_run_log" add constraint "tap_run_log_tenant_id_tap_run_id_foreign" foreign key ("tenant_id", "tap_run_id") references "tap_run" ("tenant_id", "id") on delete cascade;`);
    this.addSql(`alter table "tap_run_log" enable row level security;`);
    this.addSql(`alter table "tap_run_log" force row level security;`);
    this.addSql(`create policy "tenant" on "tap_run_log" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "tap_run_log" cascade;`);
  }

}
