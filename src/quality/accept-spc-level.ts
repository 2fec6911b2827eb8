import { decodeId } from '../kernel/ids.js';
import type { Lean, Reader } from '../kernel/reading/reader.js';
import type { TableContext } from '../tables/table-context.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { rejectField } from './contracts/known-columns.js';
import { lockContracts } from './contracts/lock-contracts.js';
import { contractNotFound, readContract } from './contracts/read-contract.js';
import { parseSeriesId } from './contracts/series-key.js';
import { type AcceptedLevel, TableContract } from './contracts/table-contract.js';

const HAS_POINT = `
select 1 from table_spc_result result
cross join lateral json_array_elements(result.series) one
where tenant_id = $1 and contract_id = $2 and captured_at >= $3 and one ->> 'seriesId' = $4 limit 1`;

/**
 * From now on, the limits of the series follow only from values since `from`. Null removes this restriction. Throws
 * BAD_REQUEST and NOT_FOUND.
 */
export async function acceptSpcLevel(
  { read, write }: TableContext,
  seriesId: string,
  from: Date | null | undefined,
): Promise<Lean<TableContract>> {
  const { contractId } = parseSeriesId(seriesId) ?? {};
  if (!contractId) throw contractNotFound();
  const contract = await readContract(read, contractId);
  if (from && !(await hasPoint(read, contract, seriesId, from)))
    rejectField('from', 'must not be after the latest point of the series');
  await write((tx) => saveLevel(tx, contract, seriesId, from));
  return readContract(read, contractId);
}

async function hasPoint(read: Reader, contract: Lean<TableContract>, seriesId: string, from: Date): Promise<boolean> {
  const values = [decodeId(contract.tenantId), decodeId(contract.id), from, seriesId];
  return (await read.rows(HAS_POINT, values)).length > 0;
}

async function saveLevel(
  tx: WorkspaceTransaction,
  { id, table: tableId }: Lean<TableContract>,
  seriesId: string,
  from: Date | null | undefined,
): Promise<void> {
  await lockContracts(tx, tableId);
  const contract = await tx.em.findOneOrFail(TableContract, { id });
  const others = contract.acceptedLevels?.filter((level) => level.seriesId !== seriesId) ?? [];
  const levels = from ? [...others, toLevel(tx, seriesId, from)] : others;
  tx.update(contract, {
    acceptedLevels: levels.length > 0 ? levels : (null as never),
    version: contract.version + 1,
  });
  tx.recordAudit('spc_level.accepted', contract, { tableId, seriesId, from: from?.toISOString() ?? null });
}

function toLevel({ caller }: WorkspaceTransaction, seriesId: string, from: Date): AcceptedLevel {
  return {
    ...{ seriesId, from: from.toISOString(), acceptedAt: new Date().toISOString() },
    acceptedBy: caller.userId,
  };
}
