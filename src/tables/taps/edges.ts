import { Artifact } from '../../artifacts/artifact.js';
import type { ListEdge, RowEdge } from '../../kernel/entities/list-edge.js';
import type { AccessRule } from '../../tenancy/access.js';
import { CatalogTable } from '../catalog-table.js';
import { Publication } from '../publications/publication.js';
import { TableFile } from '../table-file.js';

/** Files returned in the `files` field of a table by default. */
const MAX_LISTED_FILES = 1_000;

export const tableLists: readonly ListEdge<AccessRule>[] = [
  {
    ...{ on: CatalogTable, name: 'files', of: TableFile, by: 'table', where: `state = 'live'` },
    ...{ most: MAX_LISTED_FILES, access: 'catalog:read' },
    description: 'Files of the table, newest first; the 1,000 newest unless `limit` is given.',
  },
];

export const tableRows: readonly RowEdge<AccessRule>[] = [
  {
    ...{ on: Publication, name: 'artifact', to: Artifact, by: 'artifactId', access: 'artifacts:read' },
    description: 'The file; null if it was deleted.',
  },
];
