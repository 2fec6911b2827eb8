import { Migration } from '@mikro-orm/migrations';

export class Migration20261122054312_quality extends Migration {

  override name = 'Migration20261122054312_quality';

  override up(): void | Promise<void> {
    this.addSql(`create table "table_contract" ("id" uuid not null, "created_at" timestamptz(3) not null, "created_by" uuid not null, "updated_at" timestamptz(3) not null, "updated_by" uuid not null, "tenant_id" uuid not null, "table_id" uuid not null, "scope" text not null, "version" int not null, "schema" json not null, "allows_new_columns" boolean not null, "primary_key" json not null, "timestamp_column" text null, "sensitive_columns" json not null, "series" json not null, "rules" json not null, "window_size" int not null, "min_history_for_violation" int not null, "sigma_method" text not null, "extra_spc_rules" json not null, "run_scope" text not null, "degraded_since" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "table_contract" add constraint "table_contract_tenant_id_table_id_scope_unique" unique ("tenant_id", "table_id", "scope");`);
    this.addSql(`alter table "table_contract" add constraint "table_contract_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "table_spc_result" ("id" uuid not null, "tenant_id" uuid not null, "contract_id" uuid not null, "run_id" text not null, "is_reported" boolean not null default false, "captured_at" timestamptz(3) not null, "overall_status" text not null, "window_size" int not null, "series" json not null, primary key ("id"));`);
    this.addSql(`create index "table_spc_result_tenant_id_contract_id_captured_at_index" on "table_spc_result" ("tenant_id", "contract_id", "captured_at");`);
    this.addSql(`alter table "table_spc_result" add constraint "table_spc_result_tenant_id_contract_id_run_id_is__f5f76_unique" unique ("tenant_id", "contract_id", "run_id", "is_reported");`);
    this.addSql(`alter table "table_spc_result" add constraint "table_spc_result_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`create table "table_quality_result" ("id" uuid not null, "tenant_id" uuid not null, "contract_id" uuid not null, "run_id" text not null, "is_reported" boolean not null default false, "captured_at" timestamptz(3) not null, "overall_status" text not null, "lifecycle" text not null, "checks" json not null, "is_degraded" boolean not null default false, "measures" json null, primary key ("id"));`);
    this.addSql(`create index "table_quality_result_tenant_id_contract_id_is_repo_6452e_index" on "table_quality_result" ("tenant_id", "contract_id", "is_reported", "captured_at");`);
    this.addSql(`create index "table_quality_result_tenant_id_contract_id_captured_at_index" on "table_quality_result" ("tenant_id", "contract_id", "captured_at");`);
    this.addSql(`alter table "table_quality_result" add constraint "table_quality_result_tenant_id_contract_id_run_id_dcff2_unique" unique ("tenant_id", "contract_id", "run_id", "is_reported");`);
    this.addSql(`alter table "table_quality_result" add constraint "table_quality_result_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`alter table "tenant_connector_instance" add "is_degraded" boolean not null default false;`);

    this.addSql(`alter table "table_contract" add constraint "table_contract_tenant_id_table_id_foreign" foreign key ("tenant_id", "table_id") references "catalog_table" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "table_contract" add constraint "table_contract_scope_check" check ("scope" in ('tap', 'data'));`);
    this.addSql(`alter table "table_contract" add constraint "table_contract_sigma_method_check" check ("sigma_method" in ('sample_stddev', 'moving_range'));`);
    this.addSql(`alter table "table_contract" add constraint "table_contract_run_scope_check" check ("run_scope" in ('landing', 'batch'));`);
    this.addSql(`alter table "table_contract" enable row level security;`);
    this.addSql(`alter table "table_contract" force row level security;`);
    this.addSql(`create policy "tenant" on "table_contract" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "table_spc_result" add constraint "table_spc_result_tenant_id_contract_id_foreign" foreign key ("tenant_id", "contract_id") references "table_contract" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "table_spc_result" add constraint "table_spc_result_overall_status_check" check ("overall_status" in ('INSUFFICIENT_HISTORY', 'IN_BOUNDS', 'WARNING', 'OUT_OF_CONTROL'));`);
    this.addSql(`alter table "table_spc_result" enable row level security;`);
    this.addSql(`alter table "table_spc_result" force row level security;`);
    this.addSql(`create policy "tenant" on "table_spc_result" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);

    this.addSql(`alter table "table_quality_result" add constraint "table_quality_result_tenant_id_contract_id_foreign" foreign key ("tenant_id", "contract_id") references "table_contract" ("tenant_id", "id") on delete no action;`);
    this.addSql(`alter table "table_quality_result" add constraint "table_quality_result_overall_status_check" check ("overall_status" in ('PASS', 'WARN', 'FAIL', 'ERROR', 'SKIPPED'));`);
    this.addSql(`alter table "table_quality_result" add constraint "table_quality_result_lifecycle_check" check ("lifecycle" in ('ingest', 'transform', 'promote', 'monitor'));`);
    this.addSql(`alter table "table_quality_result" enable row level security;`);
    this.addSql(`alter table "table_quality_result" force row level security;`);
    this.addSql(`create policy "tenant" on "table_quality_result" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "table_spc_result" drop constraint "table_spc_result_tenant_id_contract_id_foreign";`);
    this.addSql(`alter table "table_quality_result" drop constraint "table_quality_result_tenant_id_contract_id_foreign";`);

    this.addSql(`drop table if exists "table_contract" cascade;`);
    this.addSql(`drop table if exists "table_spc_result" cascade;`);
    this.addSql(`drop table if exists "table_quality_result" cascade;`);

    this.addSql(`alter table "tenant_connector_instance" drop column "is_degraded";`);
  }

}
