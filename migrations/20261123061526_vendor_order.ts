import { Migration } from '@mikro-orm/migrations';

export class Migration20261123061526_vendor_order extends Migration {

  override name = 'Migration20261123061526_vendor_order';

  override up(): void | Promise<void> {
    this.addSql(`create index "platform_vendor_sort_order_name_id_index" on "platform_vendor" ("sort_order", "name", "id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "platform_vendor_sort_order_name_id_index";`);
  }

}
