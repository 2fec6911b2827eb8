import { Migration } from '@mikro-orm/migrations';

export class Migration20261121184636_secrets extends Migration {

  override name = 'Migration20261121184636_secrets';

  override up(): void | Promise<void> {
    this.addSql(`create table "data_key" ("id" uuid not null, "tenant_id" uuid not null, "created_at" timestamptz(3) not null, "key_id" text not null, "wrapped" text not null, primary key ("id"));`);
    this.addSql(`alter table "data_key" add constraint "data_key_tenant_id_unique" unique ("tenant_id");`);
    this.addSql(`alter table "data_key" add constraint "data_key_tenant_id_id_unique" unique ("tenant_id", "id");`);

    this.addSql(`alter table "data_key" enable row level security;`);
    this.addSql(`alter table "data_key" force row level security;`);
    this.addSql(`create policy "tenant" on "data_key" using (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid) with check (tenant_id = nullif(current_setting('taproot.tenant_id', true), '')::uuid);`);
    this.addSql(`create policy "rotation_read" on "data_key" for select using (current_setting('taproot.sealing_rotation', true) = 'on');`);
    this.addSql(`create policy "rotation_write" on "data_key" for update using (current_setting('taproot.sealing_rotation', true) = 'on') with check (current_setting('taproot.sealing_rotation', true) = 'on');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "data_key" cascade;`);
  }

}
