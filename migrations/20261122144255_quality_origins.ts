import { Migration } from '@mikro-orm/migrations';

export class Migration20261122144255_quality_origins extends Migration {

  override name = 'Migration20261122144255_quality_origins';

  override up(): void | Promise<void> {
    this.addSql(`create index "table_spc_result_tenant_id_contract_id_is_reported_0aa82_index" on "table_spc_result" ("tenant_id", "contract_id", "is_reported", "captured_at");`);

    this.addSql(`alter table "table_quality_result" drop constraint "table_quality_result_lifecycle_check";`);
    this.addSql(`alter table "table_quality_result" add constraint "table_quality_result_lifecycle_check" check ("lifecycle" in ('transform', 'promote', 'monitor'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "table_quality_result" drop constraint "table_quality_result_lifecycle_check";`);
    this.addSql(`alter table "table_quality_result" add constraint "table_quality_result_lifecycle_check" check ("lifecycle" in ('ingest', 'transform', 'promote', 'monitor'));`);

    this.addSql(`drop index "table_spc_result_tenant_id_contract_id_is_reported_0aa82_index";`);
  }

}
