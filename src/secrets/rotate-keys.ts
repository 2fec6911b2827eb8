import { encodeId } from '../kernel/ids.js';
import type { ReaderFactory } from '../kernel/reading/reader-factory.js';
import { ROTATION_SCOPE } from './data-key.js';
import { type KeyRing, SealingKeyMissing } from './key-ring.js';
import { SecretsUnreadable } from './secret-store.js';
import { unwrapKey, type WrappedKey, wrapKey } from './wrapped-key.js';

export interface KeyRotation {
  readonly rewrapped: number;
  /** Number of data keys after the run, by the id of the sealing key that wraps them. */
  readonly counts: ReadonlyMap<string, number>;
}

const BATCH_SIZE = 100;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Wraps each data key again with the newest sealing key. Sealed secrets do not change. An operator may interrupt and
 * repeat a run, and runs may be concurrent, because a separate statement updates each data key. The statement has no
 * effect if the data key has changed since the run read it. Data keys that the run cannot unwrap remain in `counts`
 * under their old sealing key.
 */
export async function rotateKeys(
  readers: ReaderFactory,
  ring: KeyRing,
  tell: (rewrapped: number) => void,
): Promise<KeyRotation> {
  let rewrapped = 0;
  for (let last: string | undefined = FIRST_ID; last !== undefined; ) {
    const rows = await batchAfter(readers, ring, last);
    for (const row of rows) if (await rewrap(readers, ring, row)) rewrapped++;
    if (rows.length) tell(rewrapped);
    last = rows.at(-1)?.uuid;
  }
  return { rewrapped, counts: await countByKey(readers) };
}

type DataKeyRow = WrappedKey & { readonly uuid: string };

/** A reader has a row budget, so each statement uses a new reader. */
const ask = (readers: ReaderFactory, text: string, values: readonly unknown[]) =>
  readers.forScope(ROTATION_SCOPE).rows(text, values);

async function batchAfter(readers: ReaderFactory, { newest }: KeyRing, last: string): Promise<DataKeyRow[]> {
  const rows = await ask(
    readers,
    'select id, tenant_id, key_id, wrapped from data_key where key_id <> $1 and id > $2 order by id limit $3',
    [newest.id, last, BATCH_SIZE],
  );
  return (rows as string[][]).map(([uuid, tenant, keyId, wrapped]) => {
    return { uuid, id: encodeId(uuid as string), tenantId: encodeId(tenant as string), keyId, wrapped } as DataKeyRow;
  });
}

async function rewrap(readers: ReaderFactory, ring: KeyRing, row: DataKeyRow): Promise<boolean> {
  const key = tryUnwrap(ring, row);
  if (!key) return false;
  const { keyId, wrapped } = wrapKey(ring, row, key);
  const changed = await ask(
    readers,
    'update data_key set key_id = $1, wrapped = $2 where id = $3 and wrapped = $4 returning id',
    [keyId, wrapped, row.uuid, row.wrapped],
  );
  return changed.length > 0;
}

function tryUnwrap(ring: KeyRing, row: WrappedKey) {
  try {
    return unwrapKey(ring, row);
  } catch (error) {
    if (error instanceof SealingKeyMissing || error instanceof SecretsUnreadable) return undefined;
    throw error;
  }
}

async function countByKey(readers: ReaderFactory): Promise<Map<string, number>> {
  const rows = await ask(readers, 'select key_id, count(*) from data_key group by key_id order by key_id', []);
  return new Map(rows.map(([keyId, count]) => [keyId as string, Number(count)]));
}
