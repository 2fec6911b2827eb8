import { Migration } from '@mikro-orm/migrations';

export class Migration20261123030828_concurrency_slots extends Migration {

  override name = 'Migration20261123030828_concurrency_slots';

  override up(): void | Promise<void> {
    this.addSql(`create table "concurrency_slot" ("hash" text not null, "slot" int not null, "holder" uuid not null, "held_until" timestamptz(6) not null, primary key ("hash", "slot"));`);
    this.addSql(`create index "concurrency_slot_held_until_index" on "concurrency_slot" ("held_until");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "concurrency_slot" cascade;`);
  }

}
