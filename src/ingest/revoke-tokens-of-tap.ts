import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId, SYSTEM_USER_ID } from '../kernel/ids.js';
import type { TableWatch, WatchedTap } from '../tables/table-watch.js';

const REVOKE = `
update ingest_token set revoked_at = now(), updated_at = now(), updated_by = ?
where tenant_id = ? and tap_id = ? and revoked_at is null`;

/** The same watch, under which a tap that returns opens to none of the tokens it had before: senders that were cut off stay so. */
export function revokesTokens(watch: TableWatch): TableWatch {
  return {
    ...watch,
    async returned(tx, tap) {
      await watch.returned(tx, tap);
      await revokeTokensOf(tx.em, tap);
    },
  };
}

async function revokeTokensOf(em: EntityManager, { tenantId, tapId }: WatchedTap): Promise<void> {
  await em.execute(REVOKE, [decodeId(SYSTEM_USER_ID), decodeId(tenantId), decodeId(tapId)]);
}
