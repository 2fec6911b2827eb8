import { Migration } from '@mikro-orm/migrations';

export class Migration20261123061633_sync_ranges extends Migration {

  override name = 'Migration20261123061633_sync_ranges';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tap_run" add "range_from" timestamptz(3) null, add "is_resync" boolean not null default false;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tap_run" drop column "range_from", drop column "is_resync";`);
  }

}
