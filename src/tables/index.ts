import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { defineJob } from '../kernel/jobs/job-queue.js';
import { CatalogTable } from './catalog-table.js';
import { applyRetention } from './files/apply-retention.js';
import { cleanUpTable } from './files/clean-up-table.js';
import { compactTable } from './files/compact-table.js';
import { tableCleanupQueue } from './files/table-cleanup-job.js';
import { tableCompactionQueue, tableRetentionQueue } from './files/table-maintenance.js';
import { tableMergeQueue } from './files/table-merge-job.js';
import { mergeUnmergedFiles } from './merge/merge-unmerged-files.js';
import { failOrphanedPublication } from './publications/fail-orphaned-publication.js';
import { Publication } from './publications/publication.js';
import { PublicationResolver } from './publications/publication.resolver.js';
import { publicationWatchQueue } from './publications/publication-watch-job.js';
import { publishArtifactQueue } from './publications/publish-artifact-job.js';
import { runPublication } from './publications/run-publication.js';
import { CatalogTableResolver } from './queries/catalog-table.resolver.js';
import { TableFileResolver } from './queries/table-file.resolver.js';
import type { TableServices } from './table-context.js';
import { TableFile } from './table-file.js';
import { TableVersion } from './table-version.js';
import { tableLists, tableRows } from './taps/edges.js';
import { TenantConnectorTapResolver } from './taps/tenant-connector-tap.resolver.js';

interface JobServices {
  readonly tableServices: TableServices;
}

export const tables: DomainManifest<JobServices> = {
  entities: [CatalogTable, TableFile, TableVersion, Publication],
  resolvers: [TenantConnectorTapResolver, CatalogTableResolver, TableFileResolver, PublicationResolver],
  lists: tableLists,
  rows: tableRows,
  jobs: [
    defineJob(publishArtifactQueue, ({ tableServices }, data, job) => runPublication(tableServices, data, job)),
    defineJob(publicationWatchQueue, ({ tableServices }, data) => failOrphanedPublication(tableServices, data)),
    defineJob(tableCleanupQueue, ({ tableServices }, data, { signal }) => cleanUpTable(tableServices, data, signal)),
    defineJob(tableCompactionQueue, ({ tableServices }, data, { signal }) => compactTable(tableServices, data, signal)),
    defineJob(tableMergeQueue, ({ tableServices }, data, { signal }) =>
      mergeUnmergedFiles(tableServices, data, signal),
    ),
    defineJob(tableRetentionQueue, ({ tableServices }, data, { signal }) =>
      applyRetention(tableServices, data, signal),
    ),
  ],
};
