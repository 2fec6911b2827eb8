import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { CatalogTable } from './catalog-table.js';
import { tableCleanupQueue } from './files/table-cleanup-job.js';
import { tableCompactionQueue, tableRetentionQueue } from './files/table-maintenance.js';
import { Publication } from './publications/publication.js';
import { publicationWatchQueue } from './publications/publication-watch-job.js';
import { publishArtifactQueue } from './publications/publish-artifact-job.js';
import { CatalogTableResolver } from './queries/catalog-table.resolver.js';
import { TableFileResolver } from './queries/table-file.resolver.js';
import { TableFile } from './table-file.js';
import { TenantConnectorTapResolver } from './taps/tenant-connector-tap.resolver.js';

export const tables: DomainManifest = {
  entities: [CatalogTable, TableFile, Publication],
  resolvers: [TenantConnectorTapResolver, CatalogTableResolver, TableFileResolver],
  jobs: [publishArtifactQueue, publicationWatchQueue, tableCleanupQueue, tableCompactionQueue, tableRetentionQueue],
};
