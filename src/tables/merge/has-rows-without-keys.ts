import { decodeId } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';

const SELECT_ONE = `
select from table_file f join catalog_table t on t.tenant_id = f.tenant_id and t.id = f.table_id
where t.tenant_id = $1 and t.tap_id = $2 and f.state = 'live' and f.kind = 'data' and f.first_key is null limit 1`;

/**
 * Returns whether the table of a tap has rows without primary keys. The service added these rows in a mode that stores
 * no keys. New versions of a record cannot replace such rows.
 */
export async function hasRowsWithoutKeys(
  read: Reader,
  tap: { readonly tenantId: string; readonly id: string },
): Promise<boolean> {
  return (await read.rows(SELECT_ONE, [decodeId(tap.tenantId), decodeId(tap.id)])).length > 0;
}
