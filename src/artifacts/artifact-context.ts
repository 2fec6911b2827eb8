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
  /** A language model that proposes types. If undefined, only rules infer the types. */
  readonly proposer: TypeProposer | undefined;
  /** Maximum size of a file. */
  readonly maxBytes: number;
  /** Logs errors whose details the service does not send to clients. */
  readonly reportError: (error: unknown, requestId: string) => void;
}

export interface ArtifactContext extends WorkspaceContext {
  readonly artifacts: ArtifactServices;
  /**
   * Counts the upload of this request against the rate limit. Further calls have no effect. Throws TOO_MANY_REQUESTS.
   */
  countUpload(): Promise<void>;
}
