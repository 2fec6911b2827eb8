import { decodeId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading/reader.js';
import type { RecordBatch } from '../tables/records/stage-records.js';

/** A batch without its records. */
export interface PendingBatch {
  readonly id: string;
  /** Approximate memory of the records, in bytes. */
  readonly size: number;
}

export interface BatchWithRecords extends RecordBatch {
  readonly credentialId: string | undefined;
}

export const MAX_LISTED_BATCHES = 50_000;

/** Memory per record in addition to its text. */
const RECORD_OVERHEAD_BYTES = 128;

const SELECT_ANY = 'select from ingest_batch where tenant_id = $1 and tap_id = $2 limit 1';

const LIST = `
select id, bytes + ${RECORD_OVERHEAD_BYTES} * records from ingest_batch where tenant_id = $1 and tap_id = $2 order by received_at, id limit ${MAX_LISTED_BATCHES}`;

const READ = `
select id, to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), credential_id, body
from ingest_batch where tenant_id = $1 and id = any($2::uuid[]) order by received_at, id`;

const REMOVE = 'delete from ingest_batch where tenant_id = $1 and tap_id = $2 and id = any($3::uuid[]) returning bytes';

/** Database storage per batch in addition to its records. */
const BATCH_OVERHEAD_BYTES = 256;

const BYTES = `
select coalesce(sum(bytes + ${BATCH_OVERHEAD_BYTES}), 0) from ingest_batch where tenant_id = $1 and tap_id = $2`;

/** Skips locked rows, because a concurrent transaction deletes them or reuses them for new deliveries. */
const PRUNE_DELIVERIES = `
delete from ingest_delivery where tenant_id = $1 and id in (
  select id from ingest_delivery where tenant_id = $1 and tap_id = $2 and kept_until < now() limit $3 for update skip locked
)`;

/** The acknowledged batches of one tap that its table does not contain yet. */
export class PendingBatches {
  readonly #own: readonly [tenant: string, tap: string];

  constructor(
    private readonly tenantId: string,
    readonly tapId: string,
  ) {
    this.#own = [decodeId(tenantId) as string, decodeId(tapId) as string];
  }

  async hasAny(read: Reader): Promise<boolean> {
    return (await read.rows(SELECT_ANY, this.#own)).length > 0;
  }

  /** Returns at most `MAX_LISTED_BATCHES` batches, in order of arrival. */
  async list(read: Reader): Promise<PendingBatch[]> {
    const rows = await read.rows(LIST, this.#own);
    return rows.map(([id, size]) => ({ id: id as string, size: Number(size) }));
  }

  async loadRecords(read: Reader, batches: readonly PendingBatch[]): Promise<BatchWithRecords[]> {
    const rows = await read.rows(READ, [decodeId(this.tenantId), batches.map(({ id }) => id)]);
    return (rows as [string, string, string | null, string][]).map(([id, receivedAt, credentialId, body]) => ({
      ...{ id, receivedAt, body },
      credentialId: credentialId ?? undefined,
    }));
  }

  /** Returns the bytes of the deleted records, or undefined if one of the batches was missing. */
  async remove(read: Reader, ids: readonly string[]): Promise<number | undefined> {
    const removed = await read.rows(REMOVE, [...this.#own, ids]);
    return removed.length === ids.length ? removed.reduce((sum, [bytes]) => sum + Number(bytes), 0) : undefined;
  }

  async pruneDeliveries(read: Reader, limit: number): Promise<void> {
    await read.rows(PRUNE_DELIVERIES, [...this.#own, limit]);
  }

  /** Approximate size of the tap's batches in the database. */
  async bytes(read: Reader): Promise<number> {
    const [row] = await read.rows(BYTES, this.#own);
    return Number(row?.[0]);
  }
}
