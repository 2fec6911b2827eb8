import { decodeId } from '../../kernel/ids.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';

const LOCK_CONTRACTS = 'select from table_contract where tenant_id = ? and table_id = ? order by id for no key update';

/**
 * Locks both contracts of the table, because they share their sensitive columns. The lock serializes two kinds of
 * transactions: those that update the contracts, and those that store results.
 */
export async function lockContracts({ em, caller }: WorkspaceTransaction, tableId: string): Promise<void> {
  await em.execute(LOCK_CONTRACTS, [decodeId(caller.tenantId), decodeId(tableId)]);
}
