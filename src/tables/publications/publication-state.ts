import { Artifact } from '../../artifacts/artifact.js';
import { CsvError } from '../../csv/model/csv-error.js';
import type { DataSchema } from '../../csv/model/data-schema.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { runTenantTransaction, type TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../catalog-table.js';
import { tryLockTap } from '../existing-tap.js';
import type { StagingProgress } from '../staging/stage-csv-file.js';
import type { TableServices } from '../table-context.js';
import { isPublicationOpen, OPEN_PUBLICATION_STATUSES, Publication } from './publication.js';
import type { PublishArtifactData } from './publish-artifact-job.js';

export interface OpenPublication extends PublishArtifactData {
  readonly tapId: string;
  readonly artifact: {
    readonly id: string;
    readonly fileSize: number;
    readonly sha256: string | undefined;
    readonly dataSchema: DataSchema;
  };
  readonly table: Pick<Lean<CatalogTable>, 'id' | 'schema' | 'schemaVersion' | 'rows' | 'bytes'>;
  /** Start of the first attempt. */
  readonly startedAt: Date;
}

const OPEN = { status: { $in: OPEN_PUBLICATION_STATUSES } };

/** Returns undefined if the publication has ended or does not exist. */
export async function findPublicationTable(
  services: TableServices,
  data: PublishArtifactData,
): Promise<string | undefined> {
  return inPublicationTenant(services, data, async ({ read }) => {
    const publication = await read.byId(Publication, data.publicationId);
    if (!publication || !isPublicationOpen(publication)) return undefined;
    return (await read.many(CatalogTable, 'tap', publication.tap))[0]?.id;
  });
}

/**
 * Sets the status to `running` and resets the progress. Returns undefined if the publication has ended. Throws the
 * errors of `requireTap`.
 */
export async function beginPublication(
  services: TableServices,
  data: PublishArtifactData,
): Promise<OpenPublication | undefined> {
  return inPublicationTenant(services, data, async (tx) => {
    const publication = await tx.em.findOne(Publication, { id: data.publicationId, ...OPEN });
    if (!publication) return undefined;
    const { tap: tapId } = (await tx.read.byId(Publication, data.publicationId)) as { tap: string };
    await requireTap(tx, data.tenantId, tapId);
    const startedAt = publication.startedAt ?? new Date();
    Object.assign(publication, { status: 'running', startedAt, bytesRead: 0, rows: 0, rejectedRows: 0 });
    const [table] = await tx.read.many(CatalogTable, 'tap', tapId);
    const artifact = await tx.read.byId(Artifact, publication.artifactId);
    if (!table || !artifact?.dataSchema)
      throw new Error('the table, the file or the inferred schema of the file does not exist');
    const { id, fileSize, sha256, dataSchema } = artifact;
    await tx.em.flush();
    return { ...data, tapId, artifact: { id, fileSize, sha256, dataSchema }, table, startedAt };
  });
}

/** Throws the errors of `requireTap`. */
export async function saveProgress(
  services: TableServices,
  { tapId, ...data }: OpenPublication,
  { bytesRead, rows, rejectedRows }: StagingProgress,
): Promise<void> {
  await inPublicationTenant(services, data, async (tx) => {
    await requireTap(tx, data.tenantId, tapId);
    await tx.em.nativeUpdate(Publication, running(data), { bytesRead, rows, rejectedRows });
  });
}

/** Sets the status to `succeeded`, in the transaction that commits the rows. Throws the errors of `requireTap`. */
export async function markSucceeded(
  tx: TenantTransaction,
  { tapId, ...data }: OpenPublication,
  progress: StagingProgress,
): Promise<void> {
  await requireTap(tx, data.tenantId, tapId);
  const { bytesRead, rows, rejectedRows } = progress;
  const end = { status: 'succeeded', bytesRead, rows, rejectedRows, endedAt: new Date() } as const;
  const changed = await tx.em.nativeUpdate(Publication, running(data), end);
  if (changed === 0) throw new Error('the publication is no longer running');
}

export async function recordFailure(services: TableServices, data: PublishArtifactData, error: string): Promise<void> {
  await inPublicationTenant(services, data, (tx) => failPublication(tx, data, error));
}

/** Has no effect if the publication has ended. */
export async function failPublication(
  { em }: TenantTransaction,
  data: PublishArtifactData,
  error: string,
): Promise<void> {
  const end = { status: 'failed', error, endedAt: new Date() } as const;
  await em.nativeUpdate(Publication, { id: data.publicationId, ...OPEN }, end);
}

export async function requeuePublication(services: TableServices, data: PublishArtifactData): Promise<void> {
  await inPublicationTenant(services, data, ({ em }) =>
    em.nativeUpdate(Publication, running(data), { status: 'queued' }),
  );
}

/**
 * Prevents the deletion of the tap until the end of the transaction. Throws `CsvError` WA-AF-021 if the tap is deleted.
 */
async function requireTap({ em }: TenantTransaction, tenantId: string, tapId: string): Promise<void> {
  if (!(await tryLockTap(em, tenantId, tapId))) throw new CsvError('WA-AF-021', 'The tap was deleted.');
}

function running({ publicationId }: PublishArtifactData): { id: string; status: 'running' } {
  return { id: publicationId, status: 'running' };
}

function inPublicationTenant<Result>(
  { em, tables }: TableServices,
  { tenantId }: PublishArtifactData,
  work: (tx: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return runTenantTransaction(em, tables, tenantId, work);
}
