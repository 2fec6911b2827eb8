import type { ArtifactServices } from './artifacts/artifact-context.js';
import { InferenceSemaphore } from './artifacts/inference-semaphore.js';
import { ModelProposer } from './artifacts/model-proposer.js';
import type { Config } from './config.js';
import { createFileStore } from './create-file-store.js';
import { CsvWorkers } from './csv/csv-workers.js';
import type { ReportError } from './http/report-error.js';
import type { Jobs } from './kernel/jobs/jobs.js';
import type { OutboundClient } from './kernel/outbound/outbound-client.js';

interface ArtifactDependencies {
  readonly outbound: OutboundClient;
  readonly jobs: Jobs;
  readonly report: ReportError;
}

/** Throws `StartupError` if the file store is not usable. */
export async function composeArtifacts(
  config: Config,
  { outbound, jobs, report }: ArtifactDependencies,
): Promise<ArtifactServices> {
  const store = await createFileStore(config);
  const proposer = config.model && new ModelProposer(config.model, outbound);
  return {
    store,
    csv: new CsvWorkers(),
    inferences: new InferenceSemaphore(),
    jobs,
    proposer,
    maxBytes: config.maxUploadBytes,
    reportError: report,
  };
}
