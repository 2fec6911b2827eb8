import { Artifact } from '../../artifacts/artifact.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { ListEdge, RowEdge } from '../../kernel/entities/list-edge.js';
import { HISTORY_LIMIT } from '../../kernel/reading/paging.js';
import type { AccessRule } from '../../tenancy/access.js';
import { CatalogTable } from '../catalog-table.js';
import { Publication } from '../publications/publication.js';
import { TableFile } from '../table-file.js';
import { CHANGES_COLUMNS, IS_READABLE, TableVersion } from '../table-version.js';

const MAX_LISTED_FILES = 1_000;

const OF_TABLE = {
  on: CatalogTable,
  of: TableVersion,
  by: 'table',
  most: HISTORY_LIMIT,
  access: 'catalog:read',
} as const;

export const tableLists: readonly ListEdge<AccessRule>[] = [
  {
    ...{ ...OF_TABLE, name: 'versions', where: IS_READABLE },
    description: 'Readable versions of the table, newest first. Without `limit`, returns the latest 50.',
  },
  {
    ...{ ...OF_TABLE, name: 'schemaChanges', where: CHANGES_COLUMNS },
    description: 'Versions that changed the columns, newest first. Without `limit`, returns the latest 50.',
  },
  {
    ...{ on: CatalogTable, name: 'files', of: TableFile, by: 'table', where: `state = 'live'` },
    ...{ most: MAX_LISTED_FILES, access: 'catalog:read' },
    description: 'The 1,000 newest files of the table, newest first. In GraphQL, `limit` selects a different number.',
  },
  {
    ...{ on: TenantConnectorTap, name: 'feedingTaps', of: TenantConnectorTap, by: 'feedsTapId' },
    access: 'connectors:read',
    description: 'Taps whose `feedsTapId` is the id of this tap, ordered by name.',
  },
];

export const tableRows: readonly RowEdge<AccessRule>[] = [
  {
    ...{ on: Publication, name: 'artifact', to: Artifact, by: 'artifactId', access: 'artifacts:read' },
    description: 'The file. Null if it was deleted.',
  },
  {
    ...{
      on: TenantConnectorTap,
      name: 'feedsTap',
      to: TenantConnectorTap,
      by: 'feedsTapId',
      access: 'connectors:read',
    },
    description: 'The tap whose table receives the records of this tap. Null if the workspace has not selected a tap.',
  },
];
