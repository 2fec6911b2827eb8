import { Migration } from '@mikro-orm/migrations';

export class Migration20261122215231_audit_filters extends Migration {

  override name = 'Migration20261122215231_audit_filters';

  override up(): void | Promise<void> {
    this.addSql(`create index "audit_entry_tenant_id_object_id_at_index" on "audit_entry" ("tenant_id", "object_id", "at");`);
    this.addSql(`create index "audit_entry_tenant_id_actor_id_at_index" on "audit_entry" ("tenant_id", "actor_id", "at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "audit_entry_tenant_id_object_id_at_index";`);
    this.addSql(`drop index "audit_entry_tenant_id_actor_id_at_index";`);
  }

}
