import { Migration } from '@mikro-orm/migrations';

export class Migration20261121190758_claims extends Migration {

  override name = 'Migration20261121190758_claims';

  override up(): void | Promise<void> {
    this.addSql(`alter table "idempotent_request" add "claimed_until" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "idempotent_request" drop column "claimed_until";`);
  }

}
