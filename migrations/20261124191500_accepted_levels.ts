import { Migration } from '@mikro-orm/migrations';

export class Migration20261124191500_accepted_levels extends Migration {

  override name = 'Migration20261124191500_accepted_levels';

  override up(): void | Promise<void> {
    this.addSql(`alter table "table_contract" add "accepted_levels" json null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "table_contract" drop column "accepted_levels";`);
  }

}
