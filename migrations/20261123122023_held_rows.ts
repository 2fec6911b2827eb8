import { Migration } from '@mikro-orm/migrations';

export class Migration20261123122023_held_rows extends Migration {

  override name = 'Migration20261123122023_held_rows';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tap_run" add "held_until" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tap_run" drop column "held_until";`);
  }

}
