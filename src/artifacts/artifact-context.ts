import type { CsvWorkers } from '../csv/csv-workers.js';
import type { FileStore } from '../kernel/files/file-store.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import type { InferenceSemaphore } from './inference-semaphore.js';
import type { TypeProposer } from './model-proposer.js';

/** What files need beyond a request. */
export interface ArtifactServices {
  readonly store: FileStore;
  readonly csv: CsvWorkers;
  readonly inferences: InferenceSemaphore;
  readonly jobs: Jobs;
  /** A language model that proposes types; without one the rules do. */
  readonly proposer: TypeProposer | undefined;
  /** Bytes that a file may have. */
  readonly maxBytes: number;
  /** Told what a client is not. */
  readonly reportError: (error: unknown, requestId: string) => void;
}

export interface ArtifactContext extends WorkspaceContext {
  readonly artifacts: ArtifactServices;
  /** Counts the upload of this request, once. Throws TOO_MANY_REQUESTS where the caller uploads too often. */
  countUpload(): Promise<void>;
}
