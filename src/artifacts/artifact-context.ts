import type { CsvWorkers } from '../csv/csv-workers.js';
import type { FileStore } from '../kernel/files/file-store.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import type { InferenceSemaphore } from './inference-semaphore.js';
import type { TypeProposer } from './model-proposer.js';

export interface ArtifactServices {
  readonly store: FileStore;
  readonly csv: CsvWorkers;
  readonly inferences: InferenceSemaphore;
  readonly jobs: Jobs;
  /** A language model that proposes types. If undefined, rules infer them. */
  readonly proposer: TypeProposer | undefined;
  /** Maximum size of a file. */
  readonly maxBytes: number;
  /** Logs errors whose details are withheld from clients. */
  readonly reportError: (error: unknown, requestId: string) => void;
}

export interface ArtifactContext extends WorkspaceContext {
  readonly artifacts: ArtifactServices;
  /** Counts this request's upload against the rate limit, once per request. Throws TOO_MANY_REQUESTS. */
  countUpload(): Promise<void>;
}
