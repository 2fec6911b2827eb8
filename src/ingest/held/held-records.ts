import { sqlText } from '../../tables/duckdb.js';
import type { RecordIdentity } from '../../tables/records/record-identity.js';
import type { RowOrigin } from '../../tables/staging/staging-file.js';
import type { TableServices } from '../../tables/table-context.js';
import { toStoredFile } from '../../tables/table-file-key.js';
import type { WrittenFile } from '../../tables/written-file.js';

export interface HeldRecord {
  readonly origin: RowOrigin;
  /** JSON text. */
  readonly record: string;
  /** Undefined if the record had no key. */
  readonly identity: RecordIdentity | undefined;
}

interface HeldFiles {
  readonly tenantId: string;
  readonly tableId: string;
  readonly files: readonly WrittenFile[];
  readonly signal: AbortSignal;
}

const COLUMNS = `
_batch::varchar, _row::double, epoch_ms(_received_at)::double, record, _record_key, epoch_us(_record_version), coalesce(_record_deleted, false)`;

/**
 * Uses constant memory: calls `take` for each record, and awaits `settled` at intervals. Throws `FileStoreError` and
 * the abort reason of the signal.
 */
export async function eachHeldRecord(
  { localFiles, duckdb }: TableServices,
  { files, signal, ...table }: HeldFiles,
  take: (held: HeldRecord) => void,
  settled: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (const file of files)
    await localFiles.use([toStoredFile(table, file)], ([path = '']) =>
      duckdb.connect(async (connection) => {
        const result = await connection.stream(`select ${COLUMNS} from read_parquet(${sqlText(path)})`);
        for await (const rows of result.yieldRows()) {
          for (const row of rows) take(toHeldRecord(row));
          await settled();
        }
      }, signal),
    );
}

function toHeldRecord([batch, row, receivedAt, record, key, version, isDeleted]: readonly unknown[]): HeldRecord {
  const origin = {
    batch: batch as string,
    row: row as number,
    receivedAt: new Date(receivedAt as number).toISOString(),
  };
  const identity =
    key === null
      ? undefined
      : { key: key as string, version: timeOf(version as bigint), isDeleted: isDeleted as boolean };
  return { origin, record: record as string, identity };
}

function timeOf(microseconds: bigint): string {
  const rest = ((microseconds % 1_000n) + 1_000n) % 1_000n;
  const text = new Date(Number((microseconds - rest) / 1_000n)).toISOString();
  return `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}
