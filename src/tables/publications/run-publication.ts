import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { toInferenceError } from '../../artifacts/to-inference-error.js';
import { CsvError } from '../../csv/model/csv-error.js';
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
import { withWorkingFolder } from '../working-folder.js';
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
  'The columns of the file differ from the columns of the table. The service cannot change the table, because it already has rows, or pushed records have changed its columns. Delete the tap and publish the file again.';

const LEASE_RETRY_SECONDS = 10;

/**
 * Loads a published file into its table in one transaction: either all rows or none. A permanent error, or any error in
 * the last attempt, fails the publication. Throws the errors that are not permanent. The next attempt starts from the
 * beginning. If the table has another writer, schedules another attempt.
 */
export async function runPublication(
  services: TableServices,
  { tenantId, publicationId }: PublishArtifactData,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<void> {
  const data = { tenantId, publicationId };
  const tableId = await findPublicationTable(services, data);
  if (tableId === undefined) return;
  const result = await withTableLease(services, tenantId, tableId, (lease) =>
    attemptPublication(services, data, lease, job),
  );
  if (result !== 'taken') return;
  await runTenantTransaction(services.em, services.tables, tenantId, ({ em }) =>
    services.jobs.enqueue(em, publishArtifactQueue, data, { key: publicationId, startAfter: LEASE_RETRY_SECONDS }),
  );
}

async function attemptPublication(
  services: TableServices,
  data: PublishArtifactData,
  lease: TableLease,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<void> {
  try {
    const publication = await beginPublication(services, data);
    if (publication) await publish(services, publication, lease, job);
  } catch (error) {
    const isLast = job.attempt > (publishArtifactQueue.retries?.limit ?? 0);
    const isInterrupted = job.signal.aborted || lease.signal.aborted;
    if (isInterrupted && !isLast) throw error;
    const isFinal = error instanceof CsvError || error instanceof StorageQuotaExceededError;
    if (isFinal || isLast) await recordFailure(services, data, reasonOf(error));
    else await requeuePublication(services, data);
    if (!isFinal) throw error;
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error instanceof StorageQuotaExceededError ? error : toInferenceError(error);
  return `${code}: ${message}`;
}

/** Throws `CsvError` and `StorageQuotaExceededError` for permanent errors. */
async function publish(
  services: TableServices,
  publication: OpenPublication,
  lease: TableLease,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<void> {
  await withWorkingFolder(services.folder, async (folder) => {
    const reporter = new ProgressReporter(services, publication);
    try {
      const signal = AbortSignal.any([job.signal, lease.signal, reporter.signal]);
      const added: WrittenFile[] = [];
      await discardOnFailure(services, lease, added, async () => {
        const { progress, change } = await writeFiles(services, publication, { folder, reporter, signal, added });
        const decision = await passGate(services, publication, change, { attempt: job.attempt, signal });
        signal.throwIfAborted();
        await runTenantTransaction(services.em, services.tables, publication.tenantId, async (tx) => {
          await markSucceeded(tx, publication, progress);
          await commitTableFiles(tx, lease, change);
          await decision.save(tx);
        });
      });
    } finally {
      await reporter.end();
    }
  });
}

/** If the gate rejects the rows, saves the check results and throws `CsvError` WA-AF-030. */
async function passGate(
  { hooks, em, tables }: TableServices,
  { tenantId, publicationId, table }: OpenPublication,
  { added, schema = table.schema }: TableChange,
  job: Pick<RunningJob, 'attempt' | 'signal'>,
): Promise<GateDecision> {
  const { attempt, signal } = job;
  const arrival = { tenantId, tableId: table.id, runId: publicationId, files: added, schema, attempt, signal };
  const gate = await runTenantTransaction(em, tables, tenantId, ({ read }) =>
    hooks.openGate(read, table, publicationId),
  );
  const decision = await gate.check(arrival);
  if (decision.rejectionReason === undefined) return decision;
  await runTenantTransaction(em, tables, tenantId, (tx) => decision.save(tx));
  throw new CsvError('WA-AF-030', decision.rejectionReason);
}

interface PublicationRun {
  readonly folder: string;
  readonly reporter: ProgressReporter;
  readonly signal: AbortSignal;
  /** `writeFiles` appends the written files to this list. */
  readonly added: WrittenFile[];
}

async function writeFiles(
  services: TableServices,
  { tenantId, publicationId, artifact, table, startedAt }: OpenPublication,
  { folder, reporter, signal, added }: PublicationRun,
): Promise<{ progress: StagingProgress; change: TableChange }> {
  const { dataSchema } = artifact;
  const schema = { fields: tableFieldsOf(dataSchema.fields) };
  // A later inference may have changed the types since the creation of the table.
  const isChanged = !isDeepStrictEqual(schema, table.schema);
  if (isChanged && (table.rows > 0 || table.schemaVersion > 1)) throw new CsvError('WA-AF-021', COLUMNS_CHANGED);
  const schemaVersion = table.schemaVersion + (isChanged ? 1 : 0);
  const target = { tenantId, tableId: table.id, schemaVersion, schema, enforcesQuota: true };
  const origin = { batch: decodeId(publicationId) as string, receivedAt: startedAt.toISOString() };
  const progress = await stageCsvFile(
    readUploadedFile(services.store, tenantId, artifact),
    { schema: dataSchema, columns: schema, folder, ...origin },
    {
      progress: (soFar) => reporter.update(soFar),
      async section(staged) {
        added.push(...(await writeTableFiles(services, target, staged)));
        await rm(staged.folder, { recursive: true });
      },
    },
    signal,
  );
  const cause = { kind: 'publication', batch: origin.batch } as const;
  return { progress, change: { added, cause, ...(isChanged && { schema }) } };
}
