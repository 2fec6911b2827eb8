import type { Domain } from '../kernel/domain.js';
import { CatalogTable } from './catalog-table.js';
import { CatalogTableResolver } from './catalog-table.resolver.js';
import { Publication } from './publication.js';
import { publicationWatchQueue } from './publication-watch-job.js';
import { publishArtifactQueue } from './publish-artifact-job.js';
import { tableCleanupQueue } from './table-cleanup-job.js';
import { TableFile } from './table-file.js';
import { TableFileResolver } from './table-file.resolver.js';
import { tableCompactionQueue, tableRetentionQueue } from './table-upkeep.js';
import { TenantConnectorTapResolver } from './tenant-connector-tap.resolver.js';

export const tables: Domain = {
  entities: [CatalogTable, TableFile, Publication],
  resolvers: [TenantConnectorTapResolver, CatalogTableResolver, TableFileResolver],
  jobs: [publishArtifactQueue, publicationWatchQueue, tableCleanupQueue, tableCompactionQueue, tableRetentionQueue],
};
