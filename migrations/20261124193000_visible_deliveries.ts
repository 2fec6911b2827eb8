import { Migration } from '@mikro-orm/migrations';

export class Migration20261124193000_visible_deliveries extends Migration {

  override name = 'Migration20261124193000_visible_deliveries';

  override up(): void | Promise<void> {
    // The defaults apply only to existing rows, which the list of deliveries omits until they are forgotten.
    this.addSql(`alter table "ingest_delivery" add "received_at" timestamptz(3) not null default now(), add "records" int not null default 0;`);
    this.addSql(`alter table "ingest_delivery" alter column "received_at" drop default, alter column "records" drop default;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "ingest_delivery" drop column "received_at", drop column "records";`);
  }

}
