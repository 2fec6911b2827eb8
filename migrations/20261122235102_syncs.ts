import { Migration } from '@mikro-orm/migrations';

export class Migration20261122235102_syncs extends Migration {

  override name = 'Migration20261122235102_syncs';

  override up(): void | Promise<void> {
    this.addSql(`create table "tap_state" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "tap_id" uuid not null, "partition" text not null, "cursor_time" timestamptz(3) not null, "marks" json not null, primary key ("id"));`);
    this.addSql(`alter table "tap_state" add constraint "tap_state_tenant_id_tap_id_partition_unique" unique ("tenant_id", "tap_id", "partition");`);
    this.addSql(`alter table "tap_state" add constraint "tap_state_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "tap_run" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "job_id" uuid not null, "tap_id" uuid not null, "mode" text not null, "status" text not null, "run_until" timestamptz(3) not null, "records_read" bigint not null, "records_written" bigint not null, "records_rejected" bigint not null, "bytes_read" bigint not null, "requests" bigint not null, "slices_total" int null, "slices_done" int not null, "left_out_parents" int not null, "error_class" text null, "error_message" text null, "not_before" timestamptz(3) null, "started_at" timestamptz(3) null, "finished_at" timestamptz(3) null, "committed" json not null, "idle_waits" int not null default 0, primary key ("id"));`);
    this.addSql(`create index "tap_run_tenant_id_tap_id_created_at_index" on "tap_run" ("tenant_id", "tap_id", "created_at");`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_tenant_id_job_id_tap_id_unique" unique ("tenant_id", "job_id", "tap_id");`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "sync_slice" ("id" uuid not null, "tenant_id" uuid not null, "tap_run_id" uuid not null, "ordinal" int not null, "variables" json not null, "parent_fields" json not null, "since" timestamptz(3) null, "until" timestamptz(3) null, "page_token" json null, "cursor" json null, "state" text not null, "records_read" bigint not null, primary key ("id"));`);
    this.addSql(`create index "sync_slice_tenant_id_tap_run_id_state_ordinal_index" on "sync_slice" ("tenant_id", "tap_run_id", "state", "ordinal");`);
    this.addSql(`alter table "sync_slice" add constraint "sync_slice_tenant_id_tap_run_id_ordinal_unique" unique ("tenant_id", "tap_run_id", "ordinal");`);
    this.addSql(`alter table "sync_slice" add constraint "sync_slice_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`alter table "sync_job" add "trigger" text not null default 'external', add "run_until" timestamptz(3) null, add "error_class" text null;`);
    this.addSql(`alter table "sync_job" alter column "trigger" drop default;`); // external runners reported the existing jobs
    this.addSql(`alter table "sync_job" alter column "external_id" drop not null;`);
    this.addSql(`alter table "sync_job" add constraint "sync_job_trigger_check" check ("trigger" in ('manual', 'schedule', 'initial', 'external'));`);
    this.addSql(`alter table "sync_job" add constraint "sync_job_error_class_check" check ("error_class" in ('vendor_unavailable', 'rate_limited', 'credential', 'permission', 'configuration', 'contract', 'internal'));`);

    this.addSql(`alter table "credential_validation" drop constraint "credential_validation_trigger_check";`);
    this.addSql(`alter table "credential_validation" add constraint "credential_validation_trigger_check" check ("trigger" in ('submitted', 'requested', 'signed_in', 'periodic', 'delivered', 'synced'));`);

    this.addSql(`alter table "table_file" add "generation" uuid null;`);

    this.addSql(`alter table "tap_state" add constraint "tap_state_tenant_id_tap_id_foreign" foreign key ("tenant_id", "tap_id") references "tenant_connector_tap" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "tap_state" enable row level security;`);
    this.addSql(`alter table "tap_state" force row level security;`);
    this.addSql(`create policy "tenant" on "tap_state" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "tap_run" add constraint "tap_run_tenant_id_job_id_foreign" foreign key ("tenant_id", "job_id") references "sync_job" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_tenant_id_tap_id_foreign" foreign key ("tenant_id", "tap_id") references "tenant_connector_tap" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_mode_check" check ("mode" in ('append', 'replace'));`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_status_check" check ("status" in ('pending', 'running', 'waiting', 'succeeded', 'failed', 'skipped', 'cancelled'));`);
    this.addSql(`alter table "tap_run" add constraint "tap_run_error_class_check" check ("error_class" in ('vendor_unavailable', 'rate_limited', 'credential', 'permission', 'configuration', 'contract', 'internal'));`);
    this.addSql(`alter table "tap_run" enable row level security;`);
    this.addSql(`alter table "tap_run" force row level security;`);
    this.addSql(`create policy "tenant" on "tap_run" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "sync_slice" add constraint "sync_slice_tenant_id_tap_run_id_foreign" foreign key ("tenant_id", "tap_run_id") references "tap_run" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "sync_slice" enable row level security;`);
    this.addSql(`alter table "sync_slice" force row level security;`);
    this.addSql(`create policy "tenant" on "sync_slice" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "sync_slice" drop constraint "sync_slice_tenant_id_tap_run_id_foreign";`);

    this.addSql(`drop table if exists "tap_state" cascade;`);
    this.addSql(`drop table if exists "tap_run" cascade;`);
    this.addSql(`drop table if exists "sync_slice" cascade;`);

    this.addSql(`alter table "credential_validation" drop constraint "credential_validation_trigger_check";`);
    this.addSql(`alter table "credential_validation" add constraint "credential_validation_trigger_check" check ("trigger" in ('submitted', 'requested', 'signed_in', 'periodic', 'delivered'));`);

    this.addSql(`alter table "sync_job" drop constraint "sync_job_trigger_check";`);
    this.addSql(`alter table "sync_job" drop constraint "sync_job_error_class_check";`);
    this.addSql(`alter table "sync_job" drop column "trigger", drop column "run_until", drop column "error_class";`);
    // Without these lines, an owner that is not a superuser would see no rows.
    this.addSql(`alter table "sync_job" no force row level security;`);
    this.addSql(`update "sync_job" set "external_id" = "id"::text where "external_id" is null;`);
    this.addSql(`alter table "sync_job" force row level security;`);
    this.addSql(`alter table "sync_job" alter column "external_id" set not null;`);

    this.addSql(`alter table "table_file" drop column "generation";`);
  }

}
