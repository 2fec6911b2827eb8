import { Migration } from '@mikro-orm/migrations';

export class Migration20261124193000_visible_deliveries extends Migration {

  override name = 'Migration20261124193000_visible_deliveries';

  override up(): void | Promise<void> {
    // Only existing rows get the defaults. The list of deliveries omits these rows.
    this.addSql(`alter table "ingest_delivery" add "received_at" timestamptz(3) not null default now(), add "records" int not null default 0;`);
    this.addSql(`alter table "ingest_delivery" alter column "received_at" drop default, alter column "records" drop default;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "ingest_delivery" drop column "received_at", drop column "records";`);
  }

}
