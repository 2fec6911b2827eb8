import { Migration } from '@mikro-orm/migrations';

export class Migration20261124185321_definition_sources extends Migration {

  override name = 'Migration20261124185321_definition_sources';

  override up(): void | Promise<void> {
    this.addSql(`alter table "connector" add "sources" json null, add "unverified" json null;`);

    this.addSql(`alter table "inbound_auth_strategy" add "sources" json null, add "unverified" json null;`);

    this.addSql(`alter table "connector_tap" add "sources" json null, add "unverified" json null;`);

    this.addSql(`alter table "connector_auth_strategy" add "sources" json null, add "unverified" json null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "connector" drop column "sources", drop column "unverified";`);

    this.addSql(`alter table "connector_auth_strategy" drop column "sources", drop column "unverified";`);

    this.addSql(`alter table "connector_tap" drop column "sources", drop column "unverified";`);

    this.addSql(`alter table "inbound_auth_strategy" drop column "sources", drop column "unverified";`);
  }

}
