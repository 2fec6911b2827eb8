import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { toInferenceError } from '../../artifacts/to-inference-error.js';
import { CsvError } from '../../csv/model/csv-error.js';
import { toFileStoreError } from '../../kernel/files/to-file-store-error.js';
import { decodeId } from '../../kernel/ids.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { StorageQuotaExceededError } from '../../tenancy/storage-quota.js';
import { commitTableFiles, type TableChange } from '../files/commit-table-files.js';
import { discardOnFailure } from '../files/discard-table-files.js';
import { type TableLease, withTableLease } from '../files/table-lease.js';
import { writeTableFiles } from '../files/write-table-files.js';
import { type StagingProgress, stageCsvFile } from '../staging/stage-csv-file.js';
import type { TableServices } from '../table-context.js';
import { tableFieldsOf } from '../table-fields.js';
import type { GateDecision } from '../table-hooks.js';
import type { WrittenFile } from '../written-file.js';
import { ProgressReporter } from './progress-reporter.js';
import {
  beginPublication,
  findPublicationTable,
  markSucceeded,
  type OpenPublication,
  recordFailure,
  requeuePublication,
} from './publication-state.js';
import { type PublishArtifactData, publishArtifactQueue } from './publish-artifact-job.js';
import { readUploadedFile } from './read-uploaded-file.js';

const COLUMNS_CHANGED =
  'The table has other columns by now, which records brought; delete the tap and publish the file again.';

/** Seconds until it is tried again where another process has the table, be it one that was lost. */
const LEASE_RETRY_SECONDS = 10;

/**
 * Brings all rows of a published file into its table, at once at the end, or none. What fails for good, or too often, ends it with the reason; anything else
 * is thrown, and the next attempt begins anew.
 */
export async function runPublication(
  parts: TableServices,
  { tenantId, publicationId }: PublishArtifactData,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<void> {
  const data = { tenantId, publicationId };
  const tableId = await findPublicationTable(parts, data);
  if (tableId === undefined) return;
  const result = await withTableLease(parts, tenantId, tableId, (lease) => attemptPublication(parts, data, lease, job));
  if (result !== 'taken') return;
  await runTenantTransaction(parts.em, parts.tables, tenantId, ({ em }) =>
    parts.jobs.enqueue(em, publishArtifactQueue, data, { key: publicationId, startAfter: LEASE_RETRY_SECONDS }),
  );
}

async function attemptPublication(
  parts: TableServices,
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
    const isFinal = error instanceof CsvError || error instanceof StorageQuotaExceededError;
    if (isFinal || isLast) await recordFailure(parts, data, reasonOf(error));
    else await requeuePublication(parts, data);
    if (!isFinal) throw error;
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error instanceof StorageQuotaExceededError ? error : toInferenceError(error);
  return `${code}: ${message}`;
}

/** In a folder of its own. Throws CsvFault for what will not be otherwise the next time, and StorageQuotaExceeded. */
async function publish(
  parts: TableServices,
  publication: OpenPublication,
  lease: TableLease,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<void> {
  const folder = join(parts.folder, randomUUID());
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw toFileStoreError(error);
  });
  const watch = new ProgressReporter(parts, publication);
  try {
    const signal = AbortSignal.any([job.signal, lease.signal, watch.signal]);
    const added: WrittenFile[] = [];
    await discardOnFailure(parts, lease, added, async () => {
      const { progress, change } = await writeFiles(parts, publication, { folder, watch, signal, added });
      const verdict = await passGate(parts, publication, change, { attempt: job.attempt, signal });
      signal.throwIfAborted();
      await runTenantTransaction(parts.em, parts.tables, publication.tenantId, async (tx) => {
        await markSucceeded(tx, publication, progress);
        await commitTableFiles(tx, lease, change);
        await verdict.save(tx);
      });
    });
  } finally {
    await watch.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws CsvFault where the rows must not become part of the table, once that is kept. */
async function passGate(
  { hooks: watch, em, tables }: TableServices,
  { tenantId, publicationId, table }: OpenPublication,
  { added, schema = table.schema }: TableChange,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<GateDecision> {
  const { attempt, signal } = job;
  const arrival = { tenantId, tableId: table.id, runId: publicationId, files: added, schema, attempt, signal };
  const by = await runTenantTransaction(em, tables, tenantId, ({ read }) => watch.openGate(read, table, publicationId));
  const verdict = await by.check(arrival);
  if (verdict.rejectionReason === undefined) return verdict;
  await runTenantTransaction(em, tables, tenantId, (tx) => verdict.save(tx));
  throw new CsvError('WA-AF-030', verdict.rejectionReason);
}

interface PublicationRun {
  readonly folder: string;
  readonly watch: ProgressReporter;
  readonly signal: AbortSignal;
  /** Takes the files as they are written. */
  readonly added: WrittenFile[];
}

async function writeFiles(
  parts: TableServices,
  { tenantId, publicationId, artifact, table, startedAt }: OpenPublication,
  { folder, watch, signal, added }: PublicationRun,
): Promise<{ progress: StagingProgress; change: TableChange }> {
  const { dataSchema } = artifact;
  const schema = { fields: tableFieldsOf(dataSchema.fields) };
  // Another inference may have found other types since the table was made.
  const isChanged = !isDeepStrictEqual(schema, table.schema);
  if (isChanged && (table.rows > 0 || table.schemaVersion > 1)) throw new CsvError('WA-AF-021', COLUMNS_CHANGED);
  const schemaVersion = table.schemaVersion + (isChanged ? 1 : 0);
  const target = { tenantId, tableId: table.id, schemaVersion, schema, enforcesQuota: true };
  const origin = { batch: decodeId(publicationId) as string, receivedAt: startedAt.toISOString() };
  const progress = await stageCsvFile(
    readUploadedFile(parts.store, tenantId, artifact),
    { schema: dataSchema, columns: schema, folder, ...origin },
    {
      progress: (soFar) => watch.update(soFar),
      async section(staged) {
        added.push(...(await writeTableFiles(parts, target, staged)));
        await rm(staged.folder, { recursive: true });
      },
    },
    signal,
  );
  return { progress, change: { added, ...(isChanged && { schema }) } };
}
