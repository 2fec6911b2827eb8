import type { Domain } from '../kernel/domain.js';
import { TableContract } from './table-contract.js';
import { TableContractResolver } from './table-contract.resolver.js';
import { TableContractsResolver } from './table-contracts.resolver.js';
import { tableQualityQueue } from './table-quality-job.js';
import { TableQualityResult } from './table-quality-result.js';
import { TableQualityResultResolver } from './table-quality-result.resolver.js';
import { TableSpcResult } from './table-spc-result.js';
import { TableSpcResultResolver } from './table-spc-result.resolver.js';

export const quality: Domain = {
  entities: [TableContract, TableSpcResult, TableQualityResult],
  resolvers: [TableContractResolver, TableContractsResolver, TableSpcResultResolver, TableQualityResultResolver],
  jobs: [tableQualityQueue],
};
