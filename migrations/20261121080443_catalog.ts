import { Migration } from '@mikro-orm/migrations';

export class Migration20261121080443_catalog extends Migration {

  override name = 'Migration20261121080443_catalog';

  override up(): void | Promise<void> {
    this.addSql(`create table "catalog_revision" ("id" uuid not null, primary key ("id"));`);

    this.addSql(`create table "platform_vendor" ("id" uuid not null, "name" text not null, "slug" text not null, "description" text null, "sort_order" int not null, "logo" json null, primary key ("id"));`);
    this.addSql(`alter table "platform_vendor" add constraint "platform_vendor_slug_unique" unique ("slug");`);

    this.addSql(`create table "connector" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "vendor_id" uuid not null, "definition_key" text not null, "slug" text not null, "name" text not null, "description" text null, "api_version" text null, "default_base_url" text null, "addressing_config" json null, "traversal" json null, "ingestion_config_schema" json null, "integration_class" text null, "protocol_type" text null, "rate_limits" json null, "concurrency_tag_template" text null, "timeout_seconds" int null, "field_discovery" json null, "effort_metadata" json null, "setup_documentation" text null, "release_status" text not null, primary key ("id"));`);
    this.addSql(`create index "connector_vendor_id_index" on "connector" ("vendor_id");`);
    this.addSql(`alter table "connector" add constraint "connector_slug_unique" unique ("slug");`);
    this.addSql(`alter table "connector" add constraint "connector_vendor_id_definition_key_unique" unique ("vendor_id", "definition_key");`);

    this.addSql(`create table "inbound_auth_strategy" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "connector_id" uuid not null, "definition_key" text not null, "position" int not null, "label" text null, "handshake_kind" text not null, "verification_type" text not null, "config_schema" json null, "replay_window_seconds" int null, "signature_base" text null, "signature_header" text null, "timestamp_header" text null, primary key ("id"));`);
    this.addSql(`alter table "inbound_auth_strategy" add constraint "inbound_auth_strategy_connector_id_definition_key_unique" unique ("connector_id", "definition_key");`);

    this.addSql(`create table "connector_tap" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "connector_id" uuid not null, "position" int not null, "name" text not null, "description" text null, "enabled_by_default" boolean not null, "identity_directory" boolean not null, "response_extraction" json not null, "schema" json not null, "sync" json not null, "transport_options" json not null, "custom_fields" json null, "data_kind" text null, "deletion_semantics" text null, "enabled_since" timestamptz(3) null, "extraction_hook" text null, "object_name" text null, "parent_context_fields" json null, "per_parent_auth" json null, "quality_config" json null, "rate_limit_override" json null, "rate_limits" json null, "request_hook" text null, "retention_policy" json null, "skip_on_http_status" json null, "tombstone_marker_column" text null, primary key ("id"));`);
    this.addSql(`alter table "connector_tap" add constraint "connector_tap_connector_id_name_unique" unique ("connector_id", "name");`);

    this.addSql(`create table "connector_auth_strategy" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "connector_id" uuid not null, "definition_key" text not null, "position" int not null, "type" text not null, "label" text null, "config_schema" json null, "ingestion_config_schema" json null, "addressing_config" json null, "default_base_url" text null, "default_scopes" json null, "delegated_user_field" text null, "docs" text null, "extra_headers" json null, "hook" text null, "api_key_config" json null, "basic_config" json null, "pre_encoded_basic_config" json null, "bearer_config" json null, "oauth2config" json null, "verification" json null, primary key ("id"));`);
    this.addSql(`alter table "connector_auth_strategy" add constraint "connector_auth_strategy_connector_id_definition_key_unique" unique ("connector_id", "definition_key");`);

    this.addSql(`create table "platform_vendor_grouping" ("id" uuid not null, "vendor_id" uuid not null, "parent_id" uuid null, "connector_id" uuid null, "name" text not null, "slug" text not null, "description" text null, "docs" text null, "is_leaf" boolean not null, "breadcrumbs" json not null, "grouping_path" text not null, "release_stage" text not null, "priority" text null, "sort_order" int not null, "external_version" text null, "platform_version" text null, "logo" json null, "ingestion_config_schema" json null, "integration_class" text null, "protocol_type" text null, primary key ("id"));`);
    this.addSql(`create index "platform_vendor_grouping_parent_id_index" on "platform_vendor_grouping" ("parent_id");`);
    this.addSql(`create index "platform_vendor_grouping_connector_id_index" on "platform_vendor_grouping" ("connector_id");`);
    this.addSql(`alter table "platform_vendor_grouping" add constraint "platform_vendor_grouping_vendor_id_grouping_path_unique" unique ("vendor_id", "grouping_path");`);

    this.addSql(`alter table "connector" add constraint "connector_vendor_id_foreign" foreign key ("vendor_id") references "platform_vendor" ("id");`);
    this.addSql(`alter table "connector" add constraint "connector_integration_class_check" check ("integration_class" in ('api', 'database', 'file', 'collector', 'agent'));`);
    this.addSql(`alter table "connector" add constraint "connector_protocol_type_check" check ("protocol_type" in ('rest', 'graphql', 'soap', 'webhook', 'otlp', 'agent', 'jdbc', 'file'));`);
    this.addSql(`alter table "connector" add constraint "connector_release_status_check" check ("release_status" in ('draft', 'in_review', 'published', 'deprecated', 'archived'));`);

    this.addSql(`alter table "inbound_auth_strategy" add constraint "inbound_auth_strategy_connector_id_foreign" foreign key ("connector_id") references "connector" ("id") on delete cascade;`);
    this.addSql(`alter table "inbound_auth_strategy" add constraint "inbound_auth_strategy_handshake_kind_check" check ("handshake_kind" in ('none', 'echo_query_param', 'echo_body_field', 'echo_header', 'hmac_challenge'));`);
    this.addSql(`alter table "inbound_auth_strategy" add constraint "inbound_auth_strategy_verification_type_check" check ("verification_type" in ('none', 'shared_token', 'basic', 'hmac_sha1', 'hmac_sha256', 'hmac_sha512', 'ed25519', 'ecdsa_p256_sha256', 'standard_webhooks'));`);

    this.addSql(`alter table "connector_tap" add constraint "connector_tap_connector_id_foreign" foreign key ("connector_id") references "connector" ("id") on delete cascade;`);
    this.addSql(`alter table "connector_tap" add constraint "connector_tap_data_kind_check" check ("data_kind" in ('snapshot', 'event', 'changelog'));`);
    this.addSql(`alter table "connector_tap" add constraint "connector_tap_deletion_semantics_check" check ("deletion_semantics" in ('none', 'by_absence', 'by_tombstone', 'by_event'));`);

    this.addSql(`alter table "connector_auth_strategy" add constraint "connector_auth_strategy_connector_id_foreign" foreign key ("connector_id") references "connector" ("id") on delete cascade;`);
    this.addSql(`alter table "connector_auth_strategy" add constraint "connector_auth_strategy_type_check" check ("type" in ('api_key_header', 'api_key_query', 'bearer', 'basic', 'oauth2_refresh', 'oauth2_auth_code_pkce', 'oauth2_client_credentials', 'oauth2_jwt_bearer', 'google_domain_wide_delegation', 'session_exchange', 'session_exchange_jwt', 'session_exchange_password', 'custom'));`);

    this.addSql(`alter table "platform_vendor_grouping" add constraint "platform_vendor_grouping_vendor_id_foreign" foreign key ("vendor_id") references "platform_vendor" ("id");`);
    this.addSql(`alter table "platform_vendor_grouping" add constraint "platform_vendor_grouping_parent_id_foreign" foreign key ("parent_id") references "platform_vendor_grouping" ("id") on delete cascade;`);
    this.addSql(`alter table "platform_vendor_grouping" add constraint "platform_vendor_grouping_connector_id_foreign" foreign key ("connector_id") references "connector" ("id") on delete restrict;`);
    this.addSql(`alter table "platform_vendor_grouping" add constraint "platform_vendor_grouping_release_stage_check" check ("release_stage" in ('planned', 'private_preview', 'alpha', 'beta', 'ga', 'deprecated', 'sunset'));`);
    this.addSql(`alter table "platform_vendor_grouping" add constraint "platform_vendor_grouping_priority_check" check ("priority" in ('required', 'recommended', 'optional'));`);
    this.addSql(`alter table "platform_vendor_grouping" add constraint "platform_vendor_grouping_integration_class_check" check ("integration_class" in ('api', 'database', 'file', 'collector', 'agent'));`);
    this.addSql(`alter table "platform_vendor_grouping" add constraint "platform_vendor_grouping_protocol_type_check" check ("protocol_type" in ('rest', 'graphql', 'soap', 'webhook', 'otlp', 'agent', 'jdbc', 'file'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "connector" drop constraint "connector_vendor_id_foreign";`);
    this.addSql(`alter table "platform_vendor_grouping" drop constraint "platform_vendor_grouping_vendor_id_foreign";`);
    this.addSql(`alter table "inbound_auth_strategy" drop constraint "inbound_auth_strategy_connector_id_foreign";`);
    this.addSql(`alter table "connector_tap" drop constraint "connector_tap_connector_id_foreign";`);
    this.addSql(`alter table "connector_auth_strategy" drop constraint "connector_auth_strategy_connector_id_foreign";`);
    this.addSql(`alter table "platform_vendor_grouping" drop constraint "platform_vendor_grouping_connector_id_foreign";`);
    this.addSql(`alter table "platform_vendor_grouping" drop constraint "platform_vendor_grouping_parent_id_foreign";`);

    this.addSql(`drop table if exists "catalog_revision" cascade;`);
    this.addSql(`drop table if exists "platform_vendor" cascade;`);
    this.addSql(`drop table if exists "connector" cascade;`);
    this.addSql(`drop table if exists "inbound_auth_strategy" cascade;`);
    this.addSql(`drop table if exists "connector_tap" cascade;`);
    this.addSql(`drop table if exists "connector_auth_strategy" cascade;`);
    this.addSql(`drop table if exists "platform_vendor_grouping" cascade;`);
  }

}
