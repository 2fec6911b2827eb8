import { Migration } from '@mikro-orm/migrations';

export class Migration20261121184407_token_buckets extends Migration {

  override name = 'Migration20261121184407_token_buckets';

  override up(): void | Promise<void> {
    this.addSql(`create table "token_bucket" ("hash" text not null, "full_at" timestamptz(6) not null, primary key ("hash"));`);
    this.addSql(`create index "token_bucket_full_at_index" on "token_bucket" ("full_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "token_bucket" cascade;`);
  }

}
