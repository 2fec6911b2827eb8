import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId, SYSTEM_USER_ID } from '../kernel/ids.js';
import type { TableHooks, TapRef } from '../tables/table-hooks.js';

const REVOKE = `
update ingest_token set revoked_at = now(), updated_at = now(), updated_by = ?
where tenant_id = ? and tap_id = ? and revoked_at is null`;

/** The same watch, under which a tap that returns opens to none of the tokens it had before: senders that were cut off stay so. */
export function withTokenRevocation(watch: TableHooks): TableHooks {
  return {
    ...watch,
    async onTapRestored(tx, tap) {
      await watch.onTapRestored(tx, tap);
      await revokeTapTokens(tx.em, tap);
    },
  };
}

async function revokeTapTokens(em: EntityManager, { tenantId, tapId }: TapRef): Promise<void> {
  await em.execute(REVOKE, [decodeId(SYSTEM_USER_ID), decodeId(tenantId), decodeId(tapId)]);
}
