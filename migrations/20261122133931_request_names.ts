import { Migration } from '@mikro-orm/migrations';

export class Migration20261122133931_request_names extends Migration {

  override name = 'Migration20261122133931_request_names';

  override up(): void | Promise<void> {
    this.addSql(`alter table "connector_request" add "name_key" text generated always as (lower(connector_name)) stored not null;`);
    this.addSql(`create index "connector_request_tenant_id_name_key_index" on "connector_request" ("tenant_id", "name_key") where status in ('pending', 'under_review', 'accepted', 'in_progress');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "connector_request_tenant_id_name_key_index";`);
    this.addSql(`alter table "connector_request" drop column "name_key";`);
  }

}
