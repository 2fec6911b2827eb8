import { decodeId, encodeId } from '../kernel/ids.js';
import type { Lean, Reader } from '../kernel/reading.js';
import type { CatalogTable } from '../tables/catalog-table.js';
import type { Expectations, InspectedRows } from './inspection.js';
import { readyRule } from './judge-check.js';
import { rowsOfFiles } from './rows-of-files.js';
import { RunSight } from './run-sight.js';
import { readySeries } from './series-values.js';
import type { ContractRule, ContractSeries } from './table-contract.js';

/** What of a table is read for one look; of a larger one nothing but what is known without reading. */
const MOST_FILES = 1_000;
const MOST_BYTES = 64 * 2 ** 30;

const FILES = `
select id, rows, bytes, last_received_at from table_file
where tenant_id = $1 and table_id = $2 and kind = 'data' and state = 'live' order by created_at, id`;

/** What a table consists of at the moment. */
export async function liveRows(
  read: Reader,
  { id: tableId, tenantId, schema, rejectedRows }: Lean<CatalogTable>,
): Promise<InspectedRows> {
  const rows = await read.rows(FILES, [decodeId(tenantId), decodeId(tableId)]);
  const files = rows.map(([id, count, bytes, last]) => ({
    ...{ id: encodeId(id as string), rows: Number(count), bytes: Number(bytes) },
    lastReceivedAt: new Date(last as string),
  }));
  return rowsOfFiles({ tenantId, tableId, schema, rejectedRows }, files);
}

/** Why the files themselves are not read; undefined where they may be. */
export function tooMuch({ files }: InspectedRows): string | undefined {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length <= MOST_FILES && bytes <= MOST_BYTES) return undefined;
  const most = `${MOST_FILES.toLocaleString('en')} files and ${MOST_BYTES / 2 ** 30} GiB are read at the most`;
  return `The table has ${files.length.toLocaleString('en')} files and ${Math.ceil(bytes / 2 ** 30)} GiB; ${most}.`;
}

/** Whether a check or a series asks nothing that is only found by reading rows. */
export function isKnownUnread(rows: InspectedRows, expected: Expectations) {
  return (one: ContractRule | ContractSeries): boolean => {
    const sight = new RunSight(rows, expected, undefined, new Date(), new Set());
    if ('type' in one) readyRule(sight, one, undefined);
    else readySeries(sight, [one]);
    return !sight.hasQuestions;
  };
}
