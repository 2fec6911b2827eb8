import { Migration } from '@mikro-orm/migrations';

export class Migration20261121121054_tenancy extends Migration {

  override name = 'Migration20261121121054_tenancy';

  override up(): void | Promise<void> {
    this.addSql(`create table "api_key" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "name" text not null, "ending" text not null, "hash" text not null, "permissions" json not null, "expires_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "api_key" add constraint "api_key_tenant_id_hash_unique" unique ("tenant_id", "hash");`);
    this.addSql(`alter table "api_key" add constraint "api_key_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "audit_entry" ("id" uuid not null, "tenant_id" uuid not null, "at" timestamptz(3) not null, "actor_kind" text not null, "actor_id" uuid not null, "action" text not null, "object_type" text not null, "object_id" uuid not null, "request_id" text not null, "details" json null, primary key ("id"));`);
    this.addSql(`create index "audit_entry_tenant_id_at_index" on "audit_entry" ("tenant_id", "at");`);
    this.addSql(`alter table "audit_entry" add constraint "audit_entry_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "idempotent_request" ("id" uuid not null, "tenant_id" uuid not null, "created_at" timestamptz(3) not null, "caller_id" uuid not null, "key" text not null, "fingerprint" text not null, "reply" text not null, primary key ("id"));`);
    this.addSql(`create index "idempotent_request_tenant_id_created_at_index" on "idempotent_request" ("tenant_id", "created_at");`);
    this.addSql(`alter table "idempotent_request" add constraint "idempotent_request_tenant_id_caller_id_key_unique" unique ("tenant_id", "caller_id", "key");`);
    this.addSql(`alter table "idempotent_request" add constraint "idempotent_request_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "connector_request" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "connector_name" text not null, "notes" text null, "status" text not null, "resolved_grouping_id" uuid null, "resolved_vendor_id" uuid null, "result_connector_id" uuid null, primary key ("id"));`);
    this.addSql(`create index "connector_request_tenant_id_created_at_index" on "connector_request" ("tenant_id", "created_at");`);
    this.addSql(`alter table "connector_request" add constraint "connector_request_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "connector_request_move" ("id" uuid not null, "tenant_id" uuid not null, "request_id" uuid not null, "from" text not null, "to" text not null, "moved_at" timestamptz(3) not null, "moved_by" uuid not null, "note" text null, primary key ("id"));`);
    this.addSql(`create index "connector_request_move_tenant_id_request_id_index" on "connector_request_move" ("tenant_id", "request_id");`);
    this.addSql(`alter table "connector_request_move" add constraint "connector_request_move_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "role" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "name" text not null, "description" text null, "built_in" text null, "permissions" json not null, "parent_role_id" uuid null, primary key ("id"));`);
    this.addSql(`create index "role_tenant_id_parent_role_id_index" on "role" ("tenant_id", "parent_role_id");`);
    this.addSql(`alter table "role" add constraint "role_tenant_id_name_unique" unique ("tenant_id", "name");`);
    this.addSql(`alter table "role" add constraint "role_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "user" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "name" text not null, "email" text not null, "status" text not null, "tenant_id" uuid not null, "require_strong_auth" boolean not null, "locale" text null, "timezone" text null, "issuer" text null, "subject" text null, primary key ("id"));`);
    this.addSql(`alter table "user" add constraint "user_tenant_id_issuer_subject_unique" unique ("tenant_id", "issuer", "subject");`);
    this.addSql(`alter table "user" add constraint "user_tenant_id_email_unique" unique ("tenant_id", "email");`);
    this.addSql(`alter table "user" add constraint "user_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "invitation" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "email" text not null, "expires_at" timestamptz(3) not null, "accepted_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "user_id" uuid not null, primary key ("id"));`);
    this.addSql(`create index "invitation_tenant_id_user_id_index" on "invitation" ("tenant_id", "user_id");`);
    this.addSql(`create index "invitation_tenant_id_email_index" on "invitation" ("tenant_id", "email");`);
    this.addSql(`alter table "invitation" add constraint "invitation_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "user_role" ("id" uuid not null, "tenant_id" uuid not null, "user_id" uuid not null, "role_id" uuid not null, primary key ("id"));`);
    this.addSql(`create index "user_role_tenant_id_role_id_index" on "user_role" ("tenant_id", "role_id");`);
    this.addSql(`alter table "user_role" add constraint "user_role_tenant_id_user_id_role_id_unique" unique ("tenant_id", "user_id", "role_id");`);
    this.addSql(`alter table "user_role" add constraint "user_role_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "workspace" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "slug" text not null, "name" text not null, primary key ("id"));`);
    this.addSql(`alter table "workspace" add constraint "workspace_slug_unique" unique ("slug");`);

    this.addSql(`alter table "api_key" enable row level security;`);
    this.addSql(`alter table "api_key" force row level security;`);
    this.addSql(`create policy "tenant" on "api_key" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "audit_entry" enable row level security;`);
    this.addSql(`alter table "audit_entry" force row level security;`);
    this.addSql(`create policy "tenant_read" on "audit_entry" for select using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
    this.addSql(`create policy "tenant_append" on "audit_entry" for insert with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "idempotent_request" enable row level security;`);
    this.addSql(`alter table "idempotent_request" force row level security;`);
    this.addSql(`create policy "tenant" on "idempotent_request" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "connector_request" add constraint "connector_request_resolved_grouping_id_foreign" foreign key ("resolved_grouping_id") references "platform_vendor_grouping" ("id") on delete set null;`);
    this.addSql(`alter table "connector_request" add constraint "connector_request_resolved_vendor_id_foreign" foreign key ("resolved_vendor_id") references "platform_vendor" ("id") on delete set null;`);
    this.addSql(`alter table "connector_request" add constraint "connector_request_result_connector_id_foreign" foreign key ("result_connector_id") references "connector" ("id") on delete set null;`);
    this.addSql(`alter table "connector_request" add constraint "connector_request_status_check" check ("status" in ('pending', 'under_review', 'accepted', 'in_progress', 'completed', 'declined', 'duplicate'));`);
    this.addSql(`alter table "connector_request" enable row level security;`);
    this.addSql(`alter table "connector_request" force row level security;`);
    this.addSql(`create policy "tenant" on "connector_request" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "connector_request_move" add constraint "connector_request_move_tenant_id_request_id_foreign" foreign key ("tenant_id", "request_id") references "connector_request" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "connector_request_move" add constraint "connector_request_move_from_check" check ("from" in ('pending', 'under_review', 'accepted', 'in_progress', 'completed', 'declined', 'duplicate'));`);
    this.addSql(`alter table "connector_request_move" add constraint "connector_request_move_to_check" check ("to" in ('pending', 'under_review', 'accepted', 'in_progress', 'completed', 'declined', 'duplicate'));`);
    this.addSql(`alter table "connector_request_move" enable row level security;`);
    this.addSql(`alter table "connector_request_move" force row level security;`);
    this.addSql(`create policy "tenant_read" on "connector_request_move" for select using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
    this.addSql(`create policy "tenant_append" on "connector_request_move" for insert with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "role" add constraint "role_tenant_id_parent_role_id_foreign" foreign key ("tenant_id", "parent_role_id") references "role" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "role" enable row level security;`);
    this.addSql(`alter table "role" force row level security;`);
    this.addSql(`create policy "tenant" on "role" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "user" add constraint "user_status_check" check ("status" in ('PENDING', 'ACTIVE', 'SUSPENDED', 'DEACTIVATED'));`);
    this.addSql(`alter table "user" enable row level security;`);
    this.addSql(`alter table "user" force row level security;`);
    this.addSql(`create policy "tenant" on "user" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "invitation" add constraint "invitation_tenant_id_user_id_foreign" foreign key ("tenant_id", "user_id") references "user" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "invitation" enable row level security;`);
    this.addSql(`alter table "invitation" force row level security;`);
    this.addSql(`create policy "tenant" on "invitation" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "user_role" add constraint "user_role_tenant_id_user_id_foreign" foreign key ("tenant_id", "user_id") references "user" ("tenant_id", "id") on delete cascade;`);
    this.addSql(`alter table "user_role" add constraint "user_role_tenant_id_role_id_foreign" foreign key ("tenant_id", "role_id") references "role" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "user_role" enable row level security;`);
    this.addSql(`alter table "user_role" force row level security;`);
    this.addSql(`create policy "tenant" on "user_role" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "workspace" enable row level security;`);
    this.addSql(`alter table "workspace" force row level security;`);
    this.addSql(`create policy "tenant" on "workspace" using (id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
    this.addSql(`create policy "named" on "workspace" for select using (slug = current_setting('taproot.workspace_slug', true));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "connector_request_move" drop constraint "connector_request_move_tenant_id_request_id_foreign";`);
    this.addSql(`alter table "role" drop constraint "role_tenant_id_parent_role_id_foreign";`);
    this.addSql(`alter table "user_role" drop constraint "user_role_tenant_id_role_id_foreign";`);
    this.addSql(`alter table "invitation" drop constraint "invitation_tenant_id_user_id_foreign";`);
    this.addSql(`alter table "user_role" drop constraint "user_role_tenant_id_user_id_foreign";`);

    this.addSql(`drop table if exists "api_key" cascade;`);
    this.addSql(`drop table if exists "audit_entry" cascade;`);
    this.addSql(`drop table if exists "idempotent_request" cascade;`);
    this.addSql(`drop table if exists "connector_request" cascade;`);
    this.addSql(`drop table if exists "connector_request_move" cascade;`);
    this.addSql(`drop table if exists "role" cascade;`);
    this.addSql(`drop table if exists "user" cascade;`);
    this.addSql(`drop table if exists "invitation" cascade;`);
    this.addSql(`drop table if exists "user_role" cascade;`);
    this.addSql(`drop table if exists "workspace" cascade;`);
  }

}
