import { Migration } from '@mikro-orm/migrations';

export class Migration20261122005250_tables extends Migration {

  override name = 'Migration20261122005250_tables';

  override up(): void | Promise<void> {
    this.addSql(`create table "publication" ("id" uuid not null, "tenant_id" uuid not null, "tap_id" uuid not null, "artifact_id" uuid not null, "status" text not null, "bytes_read" bigint not null, "bytes_total" bigint not null, "rows" bigint not null, "rejected_rows" bigint not null, "error" text null, "started_at" timestamptz(3) null, "ended_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "publication" add constraint "publication_tenant_id_tap_id_unique" unique ("tenant_id", "tap_id");`);
    this.addSql(`alter table "publication" add constraint "publication_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "ingest_token" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "tap_id" uuid not null, "prefix" text not null, "hash" text not null, "expires_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "rotated_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "ingest_token" add constraint "ingest_token_hash_unique" unique ("hash");`);
    this.addSql(`create index "ingest_token_tenant_id_tap_id_created_at_index" on "ingest_token" ("tenant_id", "tap_id", "created_at");`);
    this.addSql(`alter table "ingest_token" add constraint "ingest_token_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "ingest_delivery" ("id" uuid not null, "tenant_id" uuid not null, "tap_id" uuid not null, "key" text not null, "body_hash" text null, "kept_until" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`create index "ingest_delivery_tenant_id_tap_id_kept_until_index" on "ingest_delivery" ("tenant_id", "tap_id", "kept_until");`);
    this.addSql(`alter table "ingest_delivery" add constraint "ingest_delivery_tenant_id_tap_id_key_unique" unique ("tenant_id", "tap_id", "key");`);
    this.addSql(`alter table "ingest_delivery" add constraint "ingest_delivery_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "ingest_batch" ("id" uuid not null, "tenant_id" uuid not null, "tap_id" uuid not null, "credential_id" uuid null, "received_at" timestamptz(3) not null, "records" int not null, "bytes" int not null, "body" text not null, primary key ("id"));`);
    this.addSql(`create index "ingest_batch_tenant_id_tap_id_received_at_index" on "ingest_batch" ("tenant_id", "tap_id", "received_at");`);
    this.addSql(`alter table "ingest_batch" add constraint "ingest_batch_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "catalog_table" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "tap_id" uuid not null, "schema" json not null, "schema_version" int not null, "rows" bigint not null, "bytes" bigint not null, "file_count" int not null, "rejected_rows" bigint not null, "first_received_at" timestamptz(3) null, "last_received_at" timestamptz(3) null, "writer" uuid null, "writer_until" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "catalog_table" add constraint "catalog_table_tenant_id_tap_id_unique" unique ("tenant_id", "tap_id");`);
    this.addSql(`alter table "catalog_table" add constraint "catalog_table_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "table_file" ("id" uuid not null, "tenant_id" uuid not null, "table_id" uuid not null, "kind" text not null, "state" text not null, "rows" bigint not null, "bytes" bigint not null, "schema_version" int not null, "first_received_at" timestamptz(3) not null, "last_received_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "kept_until" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "table_file_tenant_id_table_id_state_created_at_index" on "table_file" ("tenant_id", "table_id", "state", "created_at");`);
    this.addSql(`alter table "table_file" add constraint "table_file_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`alter table "inbound_auth_strategy" add "signature_format" json null;`);

    this.addSql(`alter table "tenant_connector_instance" add "inbound_auth_strategy_id" uuid null;`);
    this.addSql(`alter table "tenant_connector_instance" add constraint "tenant_connector_instance_inbound_auth_strategy_id_foreign" foreign key ("inbound_auth_strategy_id") references "inbound_auth_strategy" ("id") on delete no action;`);
    this.addSql(`create index "tenant_connector_instance_inbound_auth_strategy_id_index" on "tenant_connector_instance" ("inbound_auth_strategy_id");`);

    this.addSql(`alter table "credential_metadata" add "inbound_auth_strategy_id" uuid null;`);
    this.addSql(`alter table "credential_metadata" add constraint "credential_metadata_inbound_auth_strategy_id_foreign" foreign key ("inbound_auth_strategy_id") references "inbound_auth_strategy" ("id") on delete no action;`);
    this.addSql(`alter table "credential_metadata" alter column "strategy_id" drop not null;`);
    this.addSql(`create index "credential_metadata_inbound_auth_strategy_id_index" on "credential_metadata" ("inbound_auth_strategy_id");`);

    this.addSql(`alter table "credential_validation" drop constraint "credential_validation_trigger_check";`);
    this.addSql(`alter table "credential_validation" add constraint "credential_validation_trigger_check" check ("trigger" in ('submitted', 'requested', 'signed_in', 'periodic', 'delivered'));`);

    this.addSql(`alter table "publication" add constraint "publication_tenant_id_tap_id_foreign" foreign key ("tenant_id", "tap_id") references "tenant_connector_tap" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "publication" add constraint "publication_status_check" check ("status" in ('queued', 'running', 'succeeded', 'failed'));`);
    this.addSql(`alter table "publication" enable row level security;`);
    this.addSql(`alter table "publication" force row level security;`);
    this.addSql(`create policy "tenant" on "publication" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "ingest_token" add constraint "ingest_token_tenant_id_tap_id_foreign" foreign key ("tenant_id", "tap_id") references "tenant_connector_tap" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "ingest_token" enable row level security;`);
    this.addSql(`alter table "ingest_token" force row level security;`);
    this.addSql(`create policy "tenant" on "ingest_token" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
    this.addSql(`create policy "shown" on "ingest_token" for select using (hash = current_setting('taproot.ingest_token', true));`);

    this.addSql(`alter table "ingest_delivery" add constraint "ingest_delivery_tenant_id_tap_id_foreign" foreign key ("tenant_id", "tap_id") references "tenant_connector_tap" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "ingest_delivery" enable row level security;`);
    this.addSql(`alter table "ingest_delivery" force row level security;`);
    this.addSql(`create policy "tenant" on "ingest_delivery" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "ingest_batch" add constraint "ingest_batch_tenant_id_tap_id_foreign" foreign key ("tenant_id", "tap_id") references "tenant_connector_tap" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "ingest_batch" add constraint "ingest_batch_tenant_id_credential_id_foreign" foreign key ("tenant_id", "credential_id") references "credential_metadata" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "ingest_batch" enable row level security;`);
    this.addSql(`alter table "ingest_batch" force row level security;`);
    this.addSql(`create policy "tenant" on "ingest_batch" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "catalog_table" add constraint "catalog_table_tenant_id_tap_id_foreign" foreign key ("tenant_id", "tap_id") references "tenant_connector_tap" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "catalog_table" enable row level security;`);
    this.addSql(`alter table "catalog_table" force row level security;`);
    this.addSql(`create policy "tenant" on "catalog_table" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "table_file" add constraint "table_file_tenant_id_table_id_foreign" foreign key ("tenant_id", "table_id") references "catalog_table" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "table_file" add constraint "table_file_kind_check" check ("kind" in ('data', 'rejects'));`);
    this.addSql(`alter table "table_file" enable row level security;`);
    this.addSql(`alter table "table_file" force row level security;`);
    this.addSql(`create policy "tenant" on "table_file" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "table_file" drop constraint "table_file_tenant_id_table_id_foreign";`);

    this.addSql(`drop table if exists "publication" cascade;`);
    this.addSql(`drop table if exists "ingest_token" cascade;`);
    this.addSql(`drop table if exists "ingest_delivery" cascade;`);
    this.addSql(`drop table if exists "ingest_batch" cascade;`);
    this.addSql(`drop table if exists "catalog_table" cascade;`);
    this.addSql(`drop table if exists "table_file" cascade;`);

    this.addSql(`alter table "credential_metadata" drop constraint "credential_metadata_inbound_auth_strategy_id_foreign";`);

    this.addSql(`alter table "tenant_connector_instance" drop constraint "tenant_connector_instance_inbound_auth_strategy_id_foreign";`);

    this.addSql(`drop index "credential_metadata_inbound_auth_strategy_id_index";`);
    this.addSql(`alter table "credential_metadata" drop column "inbound_auth_strategy_id";`);
    this.addSql(`alter table "credential_metadata" alter column "strategy_id" set not null;`);

    this.addSql(`alter table "credential_validation" drop constraint "credential_validation_trigger_check";`);
    this.addSql(`alter table "credential_validation" add constraint "credential_validation_trigger_check" check ("trigger" in ('submitted', 'requested', 'signed_in', 'periodic'));`);

    this.addSql(`alter table "inbound_auth_strategy" drop column "signature_format";`);

    this.addSql(`drop index "tenant_connector_instance_inbound_auth_strategy_id_index";`);
    this.addSql(`alter table "tenant_connector_instance" drop column "inbound_auth_strategy_id";`);
  }

}
