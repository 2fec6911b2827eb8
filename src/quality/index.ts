import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { defineJob } from '../kernel/jobs/job-queue.js';
import { TableContract } from './contracts/table-contract.js';
import { tableQualityQueue } from './contracts/table-quality-job.js';
import { qualityLists } from './edges.js';
import { QualityUpdatesResolver } from './live-updates.resolver.js';
import { TableQualityResult } from './results/table-quality-result.js';
import { monitorTable } from './runs/monitor-table.js';
import type { QualityServices } from './runs/quality-services.js';
import { TableSpcResult } from './spc/table-spc-result.js';
import { TableContractResolver } from './table-contract.resolver.js';
import { TableQualityResultResolver } from './table-quality-result.resolver.js';
import { TableSpcResultResolver } from './table-spc-result.resolver.js';

interface JobServices {
  readonly quality: QualityServices;
}

export const quality: DomainManifest<JobServices> = {
  entities: [TableContract, TableSpcResult, TableQualityResult],
  resolvers: [TableContractResolver, TableSpcResultResolver, TableQualityResultResolver, QualityUpdatesResolver],
  lists: qualityLists,
  jobs: [
    defineJob(tableQualityQueue, async ({ quality }, data, job) => {
      await quality.backlog.wait(job.signal);
      await monitorTable(quality, data, job);
    }),
  ],
};
