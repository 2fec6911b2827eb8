import { Migration } from '@mikro-orm/migrations';

/**
 * Brings control charts of earlier versions to the form that the API shows: each series has a mean and limits, and no
 * other fields. A series without a mean had fewer than two earlier points; its limits equal its value.
 */
export class Migration20261123085900_series_as_shown extends Migration {

  override name = 'Migration20261123085900_series_as_shown';

  override up(): void | Promise<void> {
    this.addSql(`alter table "table_spc_result" no force row level security;`);
    this.addSql(`update "table_spc_result" r set series = (
      select json_agg(case when part.one ? 'mean' then part.one else part.one || jsonb_build_object('mean', part.value, 'stddev', 0,
        'lowerControl3Sigma', part.value, 'lowerWarning2Sigma', part.value, 'upperWarning2Sigma', part.value, 'upperControl3Sigma', part.value) end order by part.place)
      from (select one::jsonb - 'beyond' as one, one -> 'latestValue' as value, place from json_array_elements(r.series) with ordinality s (one, place)) part)
      where exists (select from json_array_elements(r.series) s where s -> 'mean' is null or s -> 'beyond' is not null);`);
    this.addSql(`alter table "table_spc_result" force row level security;`);
  }

  override down(): void | Promise<void> {}

}
