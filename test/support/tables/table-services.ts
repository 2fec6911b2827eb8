import { composeQuality } from '../../../src/compose-quality.js';
import { composeTables } from '../../../src/compose-tables.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { FolderStore } from '../../../src/kernel/files/folder-store.js';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import { Jobs } from '../../../src/kernel/jobs/jobs.js';
import type { PublishArtifactData } from '../../../src/tables/publications/publish-artifact-job.js';
import { runPublication } from '../../../src/tables/publications/run-publication.js';
import type { TableServices } from '../../../src/tables/table-context.js';
import { StorageQuota } from '../../../src/tenancy/storage-quota.js';
import { filesFolderOf } from '../artifacts/stored-files.js';
import { keptOrm } from '../database/kept-orms.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { loginTo } from '../database/runtime-role.js';

type Service = { databaseUrl: string; dataDir: string };

/** Runs `work` with the table services of a second process, on the database and files of the service. */
export async function withTableServices<Result>(
  service: Service,
  work: (services: TableServices) => Promise<Result>,
): Promise<Result> {
  const { url } = loginTo(service);
  const orm = keptOrm(url);
  const jobs = new Jobs({ databaseUrl: url, report: () => undefined });
  await jobs.start([]);
  const store = await FolderStore.open(filesFolderOf(service));
  const storage = new StorageQuota(undefined);
  const base = {
    em: orm.em,
    tables: new EntityTables(orm.getMetadata()),
    store,
    jobs,
    storage,
    report: () => undefined,
  };
  const context = await composeTables({ dataDir: service.dataDir } as never, base);
  const { quality, hooks } = composeQuality(context);
  const services = { ...context, hooks };
  try {
    return await work(services);
  } finally {
    await services.localFiles.close();
    await services.duckdb.close();
    await services.writer.close();
    await services.smallWriter.close();
    await quality.inspection.duckdb.close();
    await jobs.stop();
  }
}

export async function publicationOf(service: Service, tapId: string): Promise<PublishArtifactData> {
  const [row] = await queryAsOwner(service, 'select id, tenant_id from publication where tap_id = $1', [
    decodeId(tapId),
  ]);
  return { tenantId: encodeId(row?.tenant_id), publicationId: encodeId(row?.id) };
}

/** Runs the publications of taps in the test process, because the service runs no jobs. */
export async function fillTables(service: Service, tapIds: readonly string[]): Promise<void> {
  const job = { attempt: 1, signal: new AbortController().signal };
  await withTableServices(service, async (services) => {
    for (const tapId of tapIds) await runPublication(services, await publicationOf(service, tapId), job);
  });
}

export function fillTable(service: Service, tapId: string): Promise<void> {
  return fillTables(service, [tapId]);
}
