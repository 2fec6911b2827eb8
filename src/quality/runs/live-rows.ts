import { formatBytes } from '../../kernel/formats/format-bytes.js';
import { decodeId, encodeId } from '../../kernel/ids.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { CatalogTable } from '../../tables/catalog-table.js';
import { CheckContext } from '../checks/check-context.js';
import type { ContractExpectations, InspectedRows } from '../checks/inspection.js';
import { prepareCheck } from '../checks/prepare-check.js';
import { prepareSeries } from '../checks/prepare-series.js';
import type { ContractRule, ContractSeries } from '../contracts/table-contract.js';
import { toInspectedRows } from './inspected-rows.js';

/** For a table that exceeds these limits, the service computes only the checks and series that need no scan. */
const MAX_SCANNED_FILES = 1_000;
const MAX_SCANNED_BYTES = 64 * 2 ** 30;

const SELECT_LIVE_FILES = `
select id, rows, bytes, last_received_at from table_file
where tenant_id = $1 and table_id = $2 and kind = 'data' and state = 'live' order by created_at, id`;

export async function readLiveRows(
  read: Reader,
  { id: tableId, tenantId, schema, rejectedRows, mergedBy }: Lean<CatalogTable>,
): Promise<InspectedRows> {
  const rows = await read.rows(SELECT_LIVE_FILES, [decodeId(tenantId), decodeId(tableId)]);
  const files = rows.map(([id, count, bytes, last]) => ({
    ...{ id: encodeId(id as string), rows: Number(count), bytes: Number(bytes) },
    lastReceivedAt: new Date(last as string),
  }));
  return {
    ...toInspectedRows({ tenantId, tableId, schema, rejectedRows }, files),
    areChanges: mergedBy === 'reader',
  };
}

/** Returns the reason not to scan the files, or undefined if they are within the limits. */
export function scanLimitExceeded({ files }: InspectedRows): string | undefined {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length <= MAX_SCANNED_FILES && bytes <= MAX_SCANNED_BYTES) return undefined;
  const limit = `${MAX_SCANNED_FILES.toLocaleString('en')} files or ${formatBytes(MAX_SCANNED_BYTES)}`;
  const size = `${files.length.toLocaleString('en')} ${files.length === 1 ? 'file' : 'files'} and ${Math.ceil(bytes / 2 ** 30)} GiB`;
  return `The table has ${size}, which exceeds the scan limit of ${limit}.`;
}

/** Returns a predicate that is true for rules and series whose value the service can compute without reading rows. */
export function isKnownWithoutScan(rows: InspectedRows, expected: ContractExpectations) {
  return (one: ContractRule | ContractSeries): boolean => {
    const context = new CheckContext(rows, expected, undefined, new Date(), new Set());
    if ('type' in one) prepareCheck(context, one, undefined);
    else prepareSeries(context, [one]);
    return !context.needsScan;
  };
}
