import { randomUUID } from 'node:crypto';
import { decodeId, encodeId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading/reader.js';

export interface Delivery {
  /** See `identifyDelivery`. */
  readonly key: string;
  /** Until this time, a delivery with the same key is a duplicate. */
  readonly keptUntil: Date;
  /** Set if later deliveries with the key must have the same body. */
  readonly bodyHash?: string | undefined;
  /** Undefined if the token alone authorizes the sender. */
  readonly credentialId?: string | undefined;
  readonly receivedAt: Date;
  /** At least 1. */
  readonly records: number;
  /** One record per line, as JSON. */
  readonly body: string;
  readonly bytes: number;
}

/**
 * A delivery has the same id as its batch. The unique index on `key` detects duplicates. The statement overwrites an
 * expired delivery.
 */
const STORE = `
with given as (
  select * from unnest($3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[], $7::timestamptz[], $8::int[], $9::int[], $10::text[], $11::text[])
    as given (id, key, kept_until, credential_id, received_at, records, bytes, body, body_hash)
), remembered as (
  insert into ingest_delivery (id, tenant_id, tap_id, key, received_at, records, kept_until, body_hash)
  select id, $1, $2, key, received_at, records, kept_until, body_hash from given order by key
  on conflict (tenant_id, tap_id, key) do update set id = excluded.id, received_at = excluded.received_at,
    records = excluded.records, kept_until = excluded.kept_until, body_hash = excluded.body_hash
    where ingest_delivery.kept_until < now()
  returning id
), stored as (
  insert into ingest_batch (id, tenant_id, tap_id, credential_id, received_at, records, bytes, body)
  select id, $1, $2, credential_id, received_at, records, bytes, body from given join remembered using (id)
)
select id from remembered`;

const FIND = `
select key, id, body_hash from ingest_delivery where tenant_id = $1 and tap_id = $2 and key = any($3)`;

export interface StoredDelivery {
  readonly isNew: boolean;
  /** For a duplicate, the batch of the first delivery. Undefined if that delivery has been deleted. */
  readonly batchId: string | undefined;
  readonly hasDifferentBody: boolean;
}

interface KnownDelivery {
  readonly id: string | null | undefined;
  readonly bodyHash: string | null | undefined;
}

export async function findDeliveries(
  read: Reader,
  tenantId: string,
  tapId: string,
  deliveries: readonly Pick<Delivery, 'key'>[],
): Promise<Map<string, KnownDelivery>> {
  const rows = await read.rows(FIND, [decodeId(tenantId), decodeId(tapId), deliveries.map(({ key }) => key)]);
  return new Map(rows.map(([key, id, bodyHash]) => [key as string, { id, bodyHash }]));
}

/** If several deliveries have the same key, stores only the first. Returns a result for each delivery, in order. */
export async function storeDeliveries(
  read: Reader,
  tenantId: string,
  tapId: string,
  deliveries: readonly Delivery[],
): Promise<StoredDelivery[]> {
  const ids = deliveries.map(() => randomUUID() as string);
  const firsts = new Map(deliveries.map(({ key }, nth) => [key, nth] as const).reverse());
  const given = [...firsts.values()].map((nth) => ({ id: ids[nth], ...(deliveries[nth] as Delivery) }));
  const own = [decodeId(tenantId), decodeId(tapId)];
  const columns = [
    given.map(({ id }) => id),
    given.map(({ key }) => key),
    given.map(({ keptUntil }) => keptUntil.toISOString()),
    given.map(({ credentialId }) => (credentialId ? decodeId(credentialId) : null)),
    given.map(({ receivedAt }) => receivedAt.toISOString()),
    given.map(({ records }) => records),
    given.map(({ bytes }) => bytes),
    given.map(({ body }) => body),
    given.map(({ bodyHash }) => bodyHash ?? null),
  ];
  const stored = new Set((await read.rows(STORE, [...own, ...columns])).map(([id]) => id));
  const known = given.filter(({ id }) => !stored.has(id as string));
  // A separate statement is necessary, because `STORE` does not see rows that concurrent transactions have committed
  // since it started.
  const earlier = known.length > 0 ? await findDeliveries(read, tenantId, tapId, known) : [];
  const fresh = given.filter(({ id }) => stored.has(id as string));
  const firstOf = new Map([
    ...fresh.map(({ key, id, bodyHash = null }) => [key, { id, bodyHash }] as const),
    ...earlier,
  ]);
  return deliveries.map(({ key, bodyHash = null }, nth) => {
    const first = firstOf.get(key);
    return {
      isNew: stored.has(ids[nth] as string),
      batchId: first?.id ? encodeId(first.id) : undefined,
      hasDifferentBody: first !== undefined && first.bodyHash !== bodyHash,
    };
  });
}
