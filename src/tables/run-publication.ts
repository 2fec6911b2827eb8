import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { inferenceFault } from '../artifacts/inference-fault.js';
import { CsvFault } from '../csv/csv-fault.js';
import { decodeId } from '../kernel/ids.js';
import type { RunningJob } from '../kernel/job-queue.js';
import { storingFailed } from '../kernel/storing-failed.js';
import { inTenant } from '../kernel/transaction.js';
import { StorageQuotaExceeded } from '../tenancy/storage-quota.js';
import { commitTableFiles, type TableChange } from './commit-table-files.js';
import { unlessGivenUp } from './give-up-table-files.js';
import { ProgressWatch } from './progress-watch.js';
import {
  beginPublication,
  endWithFailure,
  endWithSuccess,
  findTableOf,
  type OpenPublication,
  putBack,
} from './publication-state.js';
import { type PublishArtifactData, publishArtifactQueue } from './publish-artifact-job.js';
import { type StagingProgress, stageFile } from './stage-file.js';
import type { TableParts } from './table-context.js';
import { tableFieldsOf } from './table-fields.js';
import { type TableLease, withTableLease } from './table-lease.js';
import type { Verdict } from './table-watch.js';
import { uploadedBytes } from './uploaded-bytes.js';
import { writeTableFiles } from './write-table-files.js';
import type { WrittenFile } from './written-file.js';

const OTHER_COLUMNS =
  'The table has other columns by now, which records brought; delete the tap and publish the file again.';

/** Seconds until it is tried again where another process has the table, be it one that was lost. */
const WAIT_FOR_TABLE = 10;

/**
 * Brings all rows of a published file into its table, at once at the end, or none. What fails for good, or too often, ends it with the reason; anything else
 * is thrown, and the next attempt begins anew.
 */
export async function runPublication(
  parts: TableParts,
  { tenantId, publicationId }: PublishArtifactData,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<void> {
  const data = { tenantId, publicationId };
  const tableId = await findTableOf(parts, data);
  if (tableId === undefined) return;
  const result = await withTableLease(parts, tenantId, tableId, (lease) => attempt(parts, data, lease, job));
  if (result !== 'taken') return;
  await inTenant(parts.em, parts.tables, tenantId, ({ em }) =>
    parts.jobs.enqueue(em, publishArtifactQueue, data, { key: publicationId, startAfter: WAIT_FOR_TABLE }),
  );
}

async function attempt(
  parts: TableParts,
  data: PublishArtifactData,
  lease: TableLease,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<void> {
  try {
    const publication = await beginPublication(parts, data);
    if (publication) await publish(parts, publication, lease, job);
  } catch (error) {
    const isLast = job.attempt > (publishArtifactQueue.retries?.limit ?? 0);
    const isLeftToOthers = job.signal.aborted || lease.signal.aborted;
    if (isLeftToOthers && !isLast) throw error;
    const isFinal = error instanceof CsvFault || error instanceof StorageQuotaExceeded;
    if (isFinal || isLast) await endWithFailure(parts, data, reasonOf(error));
    else await putBack(parts, data);
    if (!isFinal) throw error;
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error instanceof StorageQuotaExceeded ? error : inferenceFault(error);
  return `${code}: ${message}`;
}

/** In a folder of its own. Throws CsvFault for what will not be otherwise the next time, and StorageQuotaExceeded. */
async function publish(
  parts: TableParts,
  publication: OpenPublication,
  lease: TableLease,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<void> {
  const folder = join(parts.folder, randomUUID());
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw storingFailed(error);
  });
  const watch = new ProgressWatch(parts, publication);
  try {
    const signal = AbortSignal.any([job.signal, lease.signal, watch.signal]);
    const added: WrittenFile[] = [];
    await unlessGivenUp(parts, lease, added, async () => {
      const { progress, change } = await writeFiles(parts, publication, { folder, watch, signal, added });
      const verdict = await judge(parts, publication, change, { attempt: job.attempt, signal });
      signal.throwIfAborted();
      await inTenant(parts.em, parts.tables, publication.tenantId, async (tx) => {
        await endWithSuccess(tx, publication, progress);
        await commitTableFiles(tx, lease, change);
        await verdict.keep(tx);
      });
    });
  } finally {
    await watch.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws CsvFault where the rows must not become part of the table, once that is kept. */
async function judge(
  { watch, em, tables }: TableParts,
  { tenantId, publicationId, table }: OpenPublication,
  { added, schema = table.schema }: TableChange,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<Verdict> {
  const { attempt, signal } = job;
  const arrival = { tenantId, tableId: table.id, runId: publicationId, files: added, schema, attempt, signal };
  const by = await inTenant(em, tables, tenantId, ({ read }) => watch.judgeOf(read, table, publicationId));
  const verdict = await by.judge(arrival);
  if (verdict.refusal === undefined) return verdict;
  await inTenant(em, tables, tenantId, (tx) => verdict.keep(tx));
  throw new CsvFault('WA-AF-030', verdict.refusal);
}

interface Surroundings {
  readonly folder: string;
  readonly watch: ProgressWatch;
  readonly signal: AbortSignal;
  /** Takes the files as they are written. */
  readonly added: WrittenFile[];
}

async function writeFiles(
  parts: TableParts,
  { tenantId, publicationId, artifact, table, startedAt }: OpenPublication,
  { folder, watch, signal, added }: Surroundings,
): Promise<{ progress: StagingProgress; change: TableChange }> {
  const { dataSchema } = artifact;
  const schema = { fields: tableFieldsOf(dataSchema.fields) };
  // Another inference may have found other types since the table was made.
  const isChanged = !isDeepStrictEqual(schema, table.schema);
  if (isChanged && (table.rows > 0 || table.schemaVersion > 1)) throw new CsvFault('WA-AF-021', OTHER_COLUMNS);
  const schemaVersion = table.schemaVersion + (isChanged ? 1 : 0);
  const target = { tenantId, tableId: table.id, schemaVersion, schema, isLimited: true };
  const origin = { batch: decodeId(publicationId) as string, receivedAt: startedAt.toISOString() };
  const progress = await stageFile(
    uploadedBytes(parts.store, tenantId, artifact),
    { schema: dataSchema, columns: schema, folder, ...origin },
    {
      progress: (soFar) => watch.note(soFar),
      async section(staged) {
        added.push(...(await writeTableFiles(parts, target, staged)));
        await rm(staged.folder, { recursive: true });
      },
    },
    signal,
  );
  return { progress, change: { added, ...(isChanged && { schema }) } };
}
