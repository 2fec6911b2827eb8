import { Migration } from '@mikro-orm/migrations';

export class Migration20261121190516_connections extends Migration {

  override name = 'Migration20261121190516_connections';

  override up(): void | Promise<void> {
    this.addSql(`create table "tenant_connector_instance" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "grouping_id" uuid not null, "connector_id" uuid not null, "authentication_strategy_id" uuid null, "name" text null, "authentication_config" json null, "ingestion_config" json null, "enabled" boolean not null, "schedule_paused" boolean not null, "last_sync_at" timestamptz(3) null, "last_sync_status" text null, "sync" json not null, "credential_id" uuid null, "deleted_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "tenant_connector_instance_grouping_id_index" on "tenant_connector_instance" ("grouping_id");`);
    this.addSql(`create index "tenant_connector_instance_connector_id_index" on "tenant_connector_instance" ("connector_id");`);
    this.addSql(`create index "tenant_connector_instance_authentication_strategy_id_index" on "tenant_connector_instance" ("authentication_strategy_id");`);
    this.addSql(`alter table "tenant_connector_instance" add constraint "tenant_connector_instance_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "sync_job" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "instance_id" uuid not null, "external_id" text not null, "status" text not null, "is_initial" boolean not null, "started_at" timestamptz(3) null, "finished_at" timestamptz(3) null, "records_read" int null, "records_written" int null, "records_rejected" int null, "error_code" text null, "error_message" text null, "quality_degraded" boolean not null, primary key ("id"));`);
    this.addSql(`create index "sync_job_tenant_id_instance_id_created_at_index" on "sync_job" ("tenant_id", "instance_id", "created_at");`);
    this.addSql(`create index "sync_job_tenant_id_instance_id_status_finished_at_index" on "sync_job" ("tenant_id", "instance_id", "status", "finished_at");`);
    this.addSql(`alter table "sync_job" add constraint "sync_job_tenant_id_instance_id_external_id_unique" unique ("tenant_id", "instance_id", "external_id");`);
    this.addSql(`alter table "sync_job" add constraint "sync_job_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "credential_metadata" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "instance_id" uuid not null, "strategy_id" uuid not null, "status" text not null, "error_code" text null, "message" text null, "validated_at" timestamptz(3) null, "expires_at" timestamptz(3) null, "identity" text null, "granted_scopes" json null, "missing_scopes" json null, "tested_until" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "credential_metadata_strategy_id_index" on "credential_metadata" ("strategy_id");`);
    this.addSql(`create index "credential_metadata_tenant_id_instance_id_created_at_index" on "credential_metadata" ("tenant_id", "instance_id", "created_at");`);
    this.addSql(`alter table "credential_metadata" add constraint "credential_metadata_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "sealed_credential" ("id" uuid not null, "tenant_id" uuid not null, "credential_id" uuid not null, "config" json not null, "session" json null, "version" int not null, "lease_holder" uuid null, "lease_until" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "sealed_credential" add constraint "sealed_credential_tenant_id_credential_id_unique" unique ("tenant_id", "credential_id");`);
    this.addSql(`alter table "sealed_credential" add constraint "sealed_credential_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "oauth_flow" ("id" uuid not null, "tenant_id" uuid not null, "state_hash" text not null, "browser_hash" text not null, "started_by" uuid not null, "started_by_kind" text not null, "started_by_user" uuid not null, "instance_id" uuid not null, "credential_id" uuid not null, "strategy_id" uuid not null, "redirect_uri" text not null, "scopes" json not null, "verifier" json not null, "started_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "oauth_flow_strategy_id_index" on "oauth_flow" ("strategy_id");`);
    this.addSql(`create index "oauth_flow_tenant_id_expires_at_index" on "oauth_flow" ("tenant_id", "expires_at");`);
    this.addSql(`alter table "oauth_flow" add constraint "oauth_flow_tenant_id_state_hash_unique" unique ("tenant_id", "state_hash");`);
    this.addSql(`alter table "oauth_flow" add constraint "oauth_flow_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "credential_validation" ("id" uuid not null, "tenant_id" uuid not null, "credential_id" uuid not null, "trigger" text not null, "status" text not null, "error_code" text null, "message" text not null, "details" json not null, "validated_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`create index "credential_validation_tenant_id_credential_id_vali_8f73e_index" on "credential_validation" ("tenant_id", "credential_id", "validated_at");`);
    this.addSql(`alter table "credential_validation" add constraint "credential_validation_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "tenant_connector_tap" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "instance_id" uuid null, "tap_id" uuid null, "attributed_artifact_id" uuid null, "name" text not null, "enabled" boolean not null, "table_name" text not null, "promoted_at" timestamptz(3) null, "deleted_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "tenant_connector_tap_tap_id_index" on "tenant_connector_tap" ("tap_id");`);
    this.addSql(`create index "tenant_connector_tap_tenant_id_instance_id_index" on "tenant_connector_tap" ("tenant_id", "instance_id");`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_tenant_id_table_name_unique" unique ("tenant_id", "table_name");`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_tenant_id_id_unique" unique ("tenant_id", "id");`);

    // The default applies to existing workspaces.
    this.addSql(`alter table "workspace" add "oauth_redirect_uris" json not null default '[]';`);
    this.addSql(`alter table "workspace" alter column "oauth_redirect_uris" drop default;`);

    this.addSql(`alter table "tenant_connector_instance" add constraint "tenant_connector_instance_grouping_id_foreign" foreign key ("grouping_id") references "platform_vendor_grouping" ("id");`);
    this.addSql(`alter table "tenant_connector_instance" add constraint "tenant_connector_instance_connector_id_foreign" foreign key ("connector_id") references "connector" ("id");`);
    this.addSql(`alter table "tenant_connector_instance" add constraint "tenant_connector_instance_authentication_strategy_id_foreign" foreign key ("authentication_strategy_id") references "connector_auth_strategy" ("id") on delete set null;`);
    this.addSql(`alter table "tenant_connector_instance" add constraint "tenant_connector_instance_tenant_id_credential_id_foreign" foreign key ("tenant_id", "credential_id") references "credential_metadata" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "tenant_connector_instance" add constraint "tenant_connector_instance_last_sync_status_check" check ("last_sync_status" in ('pending', 'queued', 'running', 'succeeded', 'partial_success', 'failed', 'cancelled'));`);
    this.addSql(`alter table "tenant_connector_instance" enable row level security;`);
    this.addSql(`alter table "tenant_connector_instance" force row level security;`);
    this.addSql(`create policy "tenant" on "tenant_connector_instance" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "sync_job" add constraint "sync_job_tenant_id_instance_id_foreign" foreign key ("tenant_id", "instance_id") references "tenant_connector_instance" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "sync_job" add constraint "sync_job_status_check" check ("status" in ('pending', 'queued', 'running', 'succeeded', 'partial_success', 'failed', 'cancelled'));`);
    this.addSql(`alter table "sync_job" add constraint "sync_job_error_code_check" check ("error_code" in ('source_error', 'runner_error'));`);
    this.addSql(`alter table "sync_job" enable row level security;`);
    this.addSql(`alter table "sync_job" force row level security;`);
    this.addSql(`create policy "tenant" on "sync_job" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "credential_metadata" add constraint "credential_metadata_tenant_id_instance_id_foreign" foreign key ("tenant_id", "instance_id") references "tenant_connector_instance" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "credential_metadata" add constraint "credential_metadata_strategy_id_foreign" foreign key ("strategy_id") references "connector_auth_strategy" ("id");`);
    this.addSql(`alter table "credential_metadata" add constraint "credential_metadata_status_check" check ("status" in ('pending', 'validating', 'valid', 'invalid', 'expired', 'revoked', 'manual_validation_required', 'superseded'));`);
    this.addSql(`alter table "credential_metadata" add constraint "credential_metadata_error_code_check" check ("error_code" in ('auth_failed', 'internal_error', 'insufficient_permissions', 'expired', 'config_invalid'));`);
    this.addSql(`alter table "credential_metadata" enable row level security;`);
    this.addSql(`alter table "credential_metadata" force row level security;`);
    this.addSql(`create policy "tenant" on "credential_metadata" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "sealed_credential" add constraint "sealed_credential_tenant_id_credential_id_foreign" foreign key ("tenant_id", "credential_id") references "credential_metadata" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "sealed_credential" enable row level security;`);
    this.addSql(`alter table "sealed_credential" force row level security;`);
    this.addSql(`create policy "tenant" on "sealed_credential" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "oauth_flow" add constraint "oauth_flow_tenant_id_instance_id_foreign" foreign key ("tenant_id", "instance_id") references "tenant_connector_instance" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "oauth_flow" add constraint "oauth_flow_tenant_id_credential_id_foreign" foreign key ("tenant_id", "credential_id") references "credential_metadata" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "oauth_flow" add constraint "oauth_flow_strategy_id_foreign" foreign key ("strategy_id") references "connector_auth_strategy" ("id");`);
    this.addSql(`alter table "oauth_flow" enable row level security;`);
    this.addSql(`alter table "oauth_flow" force row level security;`);
    this.addSql(`create policy "tenant" on "oauth_flow" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "credential_validation" add constraint "credential_validation_tenant_id_credential_id_foreign" foreign key ("tenant_id", "credential_id") references "credential_metadata" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "credential_validation" add constraint "credential_validation_trigger_check" check ("trigger" in ('submitted', 'requested', 'signed_in', 'periodic'));`);
    this.addSql(`alter table "credential_validation" add constraint "credential_validation_status_check" check ("status" in ('valid', 'invalid', 'expired', 'inconclusive', 'manual_validation_required'));`);
    this.addSql(`alter table "credential_validation" add constraint "credential_validation_error_code_check" check ("error_code" in ('auth_failed', 'internal_error', 'insufficient_permissions', 'expired', 'config_invalid'));`);
    this.addSql(`alter table "credential_validation" enable row level security;`);
    this.addSql(`alter table "credential_validation" force row level security;`);
    this.addSql(`create policy "tenant_read" on "credential_validation" for select using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
    this.addSql(`create policy "tenant_append" on "credential_validation" for insert with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_tenant_id_instance_id_foreign" foreign key ("tenant_id", "instance_id") references "tenant_connector_instance" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "tenant_connector_tap" add constraint "tenant_connector_tap_tap_id_foreign" foreign key ("tap_id") references "connector_tap" ("id") on delete set null;`);
    this.addSql(`alter table "tenant_connector_tap" enable row level security;`);
    this.addSql(`alter table "tenant_connector_tap" force row level security;`);
    this.addSql(`create policy "tenant" on "tenant_connector_tap" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "sync_job" drop constraint "sync_job_tenant_id_instance_id_foreign";`);
    this.addSql(`alter table "credential_metadata" drop constraint "credential_metadata_tenant_id_instance_id_foreign";`);
    this.addSql(`alter table "oauth_flow" drop constraint "oauth_flow_tenant_id_instance_id_foreign";`);
    this.addSql(`alter table "tenant_connector_tap" drop constraint "tenant_connector_tap_tenant_id_instance_id_foreign";`);
    this.addSql(`alter table "tenant_connector_instance" drop constraint "tenant_connector_instance_tenant_id_credential_id_foreign";`);
    this.addSql(`alter table "sealed_credential" drop constraint "sealed_credential_tenant_id_credential_id_foreign";`);
    this.addSql(`alter table "oauth_flow" drop constraint "oauth_flow_tenant_id_credential_id_foreign";`);
    this.addSql(`alter table "credential_validation" drop constraint "credential_validation_tenant_id_credential_id_foreign";`);

    this.addSql(`drop table if exists "tenant_connector_instance" cascade;`);
    this.addSql(`drop table if exists "sync_job" cascade;`);
    this.addSql(`drop table if exists "credential_metadata" cascade;`);
    this.addSql(`drop table if exists "sealed_credential" cascade;`);
    this.addSql(`drop table if exists "oauth_flow" cascade;`);
    this.addSql(`drop table if exists "credential_validation" cascade;`);
    this.addSql(`drop table if exists "tenant_connector_tap" cascade;`);

    this.addSql(`alter table "workspace" drop column "oauth_redirect_uris";`);
  }

}
