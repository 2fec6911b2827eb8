import type { ListEdge } from '../kernel/entities/list-edge.js';
import { HISTORY_LIMIT } from '../kernel/reading/paging.js';
import { CatalogTable } from '../tables/catalog-table.js';
import type { AccessRule } from '../tenancy/access.js';
import { TableContract } from './contracts/table-contract.js';
import { presentResult } from './results/latest-results.js';
import { TableQualityResult } from './results/table-quality-result.js';
import { TableSpcResult } from './spc/table-spc-result.js';

const RESULTS = {
  ...{ on: TableContract, by: 'contract', most: HISTORY_LIMIT, access: 'catalog:read' },
  present: (row, { scope }) => presentResult(row, scope),
} as const satisfies Partial<ListEdge<AccessRule>>;

export const qualityLists: readonly ListEdge<AccessRule>[] = [
  {
    ...{ on: CatalogTable, name: 'contracts', of: TableContract, by: 'table', access: 'catalog:read' },
    description:
      'Contracts of the table: one with the scope `data`, for the whole table, and one with the scope `tap`, for the incoming rows of every run.',
  },
  {
    ...{ ...RESULTS, name: 'qualityResults', of: TableQualityResult },
    description:
      'Stored results, newest first. Each result contains the checks of one run. Without `limit`, returns the latest 50.',
  },
  {
    ...{ ...RESULTS, name: 'spcResults', of: TableSpcResult },
    description: 'Stored control charts, newest first. Without `limit`, returns the latest 50.',
  },
];
