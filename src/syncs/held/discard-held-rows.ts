import { decodeId, encodeId } from '../../kernel/ids.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { discardGeneration } from '../../tables/files/generation-files.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';

interface TableOfTap {
  readonly tapId: string;
  readonly tableId: string;
}

const CLEAR = `
update tap_run set held_until = null where tenant_id = $1 and tap_id = $2 and held_until is not null and id <> $3 returning id`;

export async function discardHeldRows(
  { em, read, caller: { tenantId } }: WorkspaceTransaction,
  jobs: Jobs,
  { tapId, tableId }: TableOfTap,
  exceptRunId: string,
): Promise<void> {
  const cleared = await read.rows(CLEAR, [tenantId, tapId, exceptRunId].map(decodeId));
  for (const [id] of cleared)
    await discardGeneration(jobs, em, { tenantId, tableId, generation: encodeId(id as string) });
}
