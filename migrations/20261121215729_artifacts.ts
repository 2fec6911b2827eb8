import { Migration } from '@mikro-orm/migrations';

export class Migration20261121215729_artifacts extends Migration {

  override name = 'Migration20261121215729_artifacts';

  override up(): void | Promise<void> {
    this.addSql(`create table "artifact" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "file_name" text not null, "file_size" bigint not null, "file_type" text not null, "upload_status" text not null, "schema_inference_status" text not null, "attributed_tap_id" uuid null, "data_schema" json null, "path" text null, "inference" json null, "inference_error" json null, "sha256" text null, "head_sha256" text null, "uploading_until" timestamptz(3) null, "inference_run" uuid null, "inferring_until" timestamptz(3) null, "deleted_at" timestamptz(3) null, "purged_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "artifact_tenant_id_attributed_tap_id_index" on "artifact" ("tenant_id", "attributed_tap_id");`);
    this.addSql(`create index "artifact_tenant_id_created_at_index" on "artifact" ("tenant_id", "created_at");`);
    this.addSql(`alter table "artifact" add constraint "artifact_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create index "tenant_connector_tap_tenant_id_attributed_artifact_id_index" on "tenant_connector_tap" ("tenant_id", "attributed_artifact_id");`);

    this.addSql(`alter table "artifact" add constraint "artifact_tenant_id_attributed_tap_id_foreign" foreign key ("tenant_id", "attributed_tap_id") references "tenant_connector_tap" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "artifact" add constraint "artifact_file_type_check" check ("file_type" in ('csv', 'xlsx', 'xls', 'numbers', 'ods', 'zip'));`);
    this.addSql(`alter table "artifact" add constraint "artifact_upload_status_check" check ("upload_status" in ('pending', 'ready', 'failed'));`);
    this.addSql(`alter table "artifact" add constraint "artifact_schema_inference_status_check" check ("schema_inference_status" in ('not_requested', 'running', 'succeeded', 'failed'));`);
    this.addSql(`alter table "artifact" enable row level security;`);
    this.addSql(`alter table "artifact" force row level security;`);
    this.addSql(`create policy "tenant" on "artifact" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "artifact" cascade;`);

    this.addSql(`drop index "tenant_connector_tap_tenant_id_attributed_artifact_id_index";`);
  }

}
