import type { ArtifactParts } from './artifacts/artifact-context.js';
import { InferenceTurns } from './artifacts/inference-turns.js';
import { ModelProposer } from './artifacts/model-proposer.js';
import type { Config } from './config.js';
import { createFileStore } from './create-file-store.js';
import { CsvWorkers } from './csv/csv-workers.js';
import type { Jobs } from './kernel/jobs.js';
import type { Outbound } from './kernel/outbound.js';
import type { ReportError } from './report-error.js';

interface Outside {
  readonly outbound: Outbound;
  readonly jobs: Jobs;
  readonly report: ReportError;
}

/** What files need beyond a request, once for a process. Throws `StartupError` where the store cannot be used. */
export async function composeArtifacts(config: Config, { outbound, jobs, report }: Outside): Promise<ArtifactParts> {
  const store = await createFileStore(config);
  const proposer = config.model && new ModelProposer(config.model, outbound);
  return {
    store,
    csv: new CsvWorkers(),
    inferences: new InferenceTurns(),
    jobs,
    proposer,
    maxBytes: config.maxUploadBytes,
    report,
  };
}
