import { Migration } from '@mikro-orm/migrations';

export class Migration20261123041348_parent_versions extends Migration {

  override name = 'Migration20261123041348_parent_versions';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tap_state" add "parent_version" text null, add "parent_checked_at" timestamptz(3) null;`);
    this.addSql(`alter table "tap_state" alter column "cursor_time" drop not null;`);

    this.addSql(`alter table "sync_slice" add "parent_version" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "sync_slice" drop column "parent_version";`);

    this.addSql(`alter table "tap_state" drop column "parent_version", drop column "parent_checked_at";`);
    this.addSql(`alter table "tap_state" alter column "cursor_time" set not null;`);
  }

}
