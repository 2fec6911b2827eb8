import { Migration } from '@mikro-orm/migrations';

export class Migration20261123052935_failed_attempts extends Migration {

  override name = 'Migration20261123052935_failed_attempts';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tap_run" add "failed_attempts" int not null default 0;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tap_run" drop column "failed_attempts";`);
  }

}
