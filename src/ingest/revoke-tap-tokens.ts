import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId, SYSTEM_USER_ID } from '../kernel/ids.js';
import type { TableHooks, TapRef } from '../tables/table-hooks.js';

const REVOKE = `
update ingest_token set revoked_at = now(), updated_at = now(), updated_by = ?
where tenant_id = ? and tap_id = ? and revoked_at is null`;

/** When a user restores a tap, revokes the tap's earlier tokens, so that their senders do not regain access. */
export function withTokenRevocation(hooks: TableHooks): TableHooks {
  return {
    ...hooks,
    async onTapRestored(tx, tap) {
      await hooks.onTapRestored(tx, tap);
      await revokeTapTokens(tx.em, tap);
    },
  };
}

async function revokeTapTokens(em: EntityManager, { tenantId, tapId }: TapRef): Promise<void> {
  await em.execute(REVOKE, [decodeId(SYSTEM_USER_ID), decodeId(tenantId), decodeId(tapId)]);
}
