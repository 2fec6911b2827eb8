import { randomUUID } from 'node:crypto';
import { decodeId, encodeId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading/reader.js';

/** Records that a sender sent at once. */
export interface Delivery {
  /** SHA-256 of what tells it from others of the tap, hexadecimal. */
  readonly key: string;
  /** Until when what comes with the same key is the same delivery. */
  readonly keptUntil: Date;
  /** Of what was sent, where another body under the same key is a mistake. */
  readonly bodyHash?: string | undefined;
  /** What the sender was verified with, where it was. */
  readonly credentialId?: string | undefined;
  readonly receivedAt: Date;
  /** One at the least. */
  readonly records: number;
  /** One record a line. */
  readonly body: string;
  /** Of the body, in UTF-8. */
  readonly bytes: number;
}

/** A delivery bears the id of its batch, which has records. What comes again with its key is refused by the unique index until it is forgotten. */
const STORE = `
with given as (
  select * from unnest($3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[], $7::timestamptz[], $8::int[], $9::int[], $10::text[], $11::text[])
    as given (id, key, kept_until, credential_id, received_at, records, bytes, body, body_hash)
), remembered as (
  insert into ingest_delivery (id, tenant_id, tap_id, key, kept_until, body_hash)
  select id, $1, $2, key, kept_until, body_hash from given order by key
  on conflict (tenant_id, tap_id, key) do update set id = excluded.id, kept_until = excluded.kept_until, body_hash = excluded.body_hash
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
  /** Of the first one where it is not new; missing where that was forgotten in the meantime. */
  readonly batchId: string | undefined;
  /** The first one had another body. */
  readonly hasDifferentBody: boolean;
}

interface KnownDelivery {
  /** UUID of its batch. */
  readonly id: string | null | undefined;
  readonly bodyHash: string | null | undefined;
}

/** Those that have come before, by their keys. */
export async function findDeliveries(
  read: Reader,
  tenantId: string,
  tapId: string,
  deliveries: readonly Pick<Delivery, 'key'>[],
): Promise<Map<string, KnownDelivery>> {
  const rows = await read.rows(FIND, [decodeId(tenantId), decodeId(tapId), deliveries.map(({ key }) => key)]);
  return new Map(rows.map(([key, id, bodyHash]) => [key as string, { id, bodyHash }]));
}

/** Stores those that are not known yet, of several with one key the first, and says of each what became of it. As part of a transaction. */
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
  // A statement of its own: one that began before another transaction was committed does not see what that has stored.
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
