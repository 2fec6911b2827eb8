import { decodeId, encodeId } from '../kernel/ids.js';
import type { ReaderFactory } from '../kernel/reading/reader-factory.js';
import { INGEST_TOKEN_SETTING } from './ingest-token.js';
import { parseIngestToken } from './ingest-token-text.js';

/** The tap of the token may already be deleted. */
export interface ActiveIngestToken {
  readonly id: string;
  readonly tenantId: string;
  readonly tapId: string;
  /** May be up to a minute before the latest use, because the service stores a use at most once per minute. */
  readonly lastUsedAt: Date | undefined;
  /** Time of the lookup by the clock of the database, in milliseconds since 1970. */
  readonly foundAt: number;
}

const BY_HASH = `
select id, tenant_id, tap_id, floor(extract(epoch from last_used_at) * 1000)::bigint,
  floor(extract(epoch from clock_timestamp()) * 1000)::bigint from ingest_token
where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`;

const UPDATE_LAST_USED = `
update ingest_token set last_used_at = now()
where tenant_id = $1 and id = $2 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

const MINUTE_MS = 60_000;

/**
 * Searches all workspaces. Returns undefined if the token is unknown, revoked or expired. Rejects malformed text and a
 * wrong checksum without a query.
 */
export async function findIngestToken(readers: ReaderFactory, text: string): Promise<ActiveIngestToken | undefined> {
  const hash = parseIngestToken(text);
  if (!hash) return undefined;
  const [row] = await readers.forScope({ setting: INGEST_TOKEN_SETTING, value: hash }).rows(BY_HASH, [hash]);
  if (!row) return undefined;
  const [id, tenantId, tapId, usedAt, foundAt] = row as [string, string, string, string | null, string];
  return {
    ...{ id: encodeId(id), tenantId: encodeId(tenantId), tapId: encodeId(tapId) },
    lastUsedAt: usedAt === null ? undefined : new Date(Number(usedAt)),
    foundAt: Number(foundAt),
  };
}

/** Updates the time of the last use, at most once a minute. */
export async function recordTokenUse(
  readers: ReaderFactory,
  { id, tenantId, lastUsedAt, foundAt }: ActiveIngestToken,
): Promise<void> {
  if (lastUsedAt && foundAt - lastUsedAt.getTime() < MINUTE_MS) return;
  await readers.forTenant(tenantId).rows(UPDATE_LAST_USED, [decodeId(tenantId), decodeId(id)]);
}
