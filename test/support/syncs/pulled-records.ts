import { join } from 'node:path';
import { decodeId } from '../../../src/kernel/ids.js';
import { DuckDb, sqlText } from '../../../src/tables/duckdb.js';
import { filesFolderOf } from '../artifacts/stored-files.js';
import { queryAsOwner } from '../database/owner-queries.js';
import type { ServiceFleet } from '../processes/service-fleet.js';
import { VENDOR_SLUG } from '../vendors/fake-vendor-definitions.js';
import type { PagedVendor } from './paged-vendor.js';

export interface PulledTaps {
  readonly instanceId: string;
}

export async function connectTo(fleet: ServiceFleet): Promise<PulledTaps> {
  return fleet.call(async (client) => {
    const { body } = await client.request(`/api/vendors/platform-vendor-groupings/${VENDOR_SLUG}`);
    const [{ id: groupingId, connectorId, supportedAuthStrategies }] = body.data;
    const created = await client.post('/api/connectors', {
      ...{ groupingId, connectorId, authenticationStrategyId: supportedAuthStrategies[0].id },
      authenticationConfig: { token: 'secret' },
    });
    if (!created.body.data) throw new Error(created.text);
    return { instanceId: created.body.data.id };
  });
}

/** For the tables of `items` and `changes`, counts the rows and the lost, duplicated and changed records. */
export async function pulledRecords(
  service: { databaseUrl: string; dataDir: string },
  { instanceId }: PulledTaps,
  vendor: PagedVendor,
): Promise<Record<string, unknown>> {
  const duckdb = new DuckDb({ folder: service.dataDir });
  const found: Record<string, unknown> = {};
  try {
    for (const [name, count] of [
      ['items', vendor.scale.itemsPerGroup],
      ['changes', vendor.visibleChanges],
    ] as const) {
      const files = await queryAsOwner(
        service,
        `select f.tenant_id, f.table_id, f.id from table_file f join catalog_table t on t.id = f.table_id
         join tenant_connector_tap d on d.id = t.tap_id
         where d.instance_id = $1 and d.name = $2 and f.kind = 'data' and f.state = 'live'`,
        [decodeId(instanceId), name],
      );
      const paths = files.map((file) =>
        sqlText(join(filesFolderOf(service), 'tables', file.tenant_id, file.table_id, 'data', `${file.id}.parquet`)),
      );
      const [row] = await duckdb.rows(`
        with rows as (select id, text from read_parquet([${paths.join(', ')}], union_by_name = true)),
        expected as (
          select g.range * 1000000 + n.range as id from range(${vendor.scale.groups}) g, range(${count}) n
        )
        select (select count(*) from rows)::int as rows,
          (select count(*) from expected where id not in (select id from rows))::int as lost,
          (select count(*) - count(distinct id) from rows)::int as duplicated,
          (select count(*) from rows where text is distinct from '${name} ' || id or id not in (select id from expected))::int as changed`);
      found[name] = row;
    }
    return found;
  } finally {
    await duckdb.close();
  }
}
