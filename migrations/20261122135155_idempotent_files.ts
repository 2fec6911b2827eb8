import { Migration } from '@mikro-orm/migrations';

export class Migration20261122135155_idempotent_files extends Migration {

  override name = 'Migration20261122135155_idempotent_files';

  override up(): void | Promise<void> {
    this.addSql(`alter table "idempotent_request" add "file_sha256" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "idempotent_request" drop column "file_sha256";`);
  }

}
