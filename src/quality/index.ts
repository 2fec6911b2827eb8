import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { TableContract } from './contracts/table-contract.js';
import { tableQualityQueue } from './contracts/table-quality-job.js';
import { TableQualityResult } from './results/table-quality-result.js';
import { TableSpcResult } from './spc/table-spc-result.js';
import { TableContractResolver } from './table-contract.resolver.js';
import { TableContractsResolver } from './table-contracts.resolver.js';
import { TableQualityResultResolver } from './table-quality-result.resolver.js';
import { TableSpcResultResolver } from './table-spc-result.resolver.js';

export const quality: DomainManifest = {
  entities: [TableContract, TableSpcResult, TableQualityResult],
  resolvers: [TableContractResolver, TableContractsResolver, TableSpcResultResolver, TableQualityResultResolver],
  jobs: [tableQualityQueue],
};
