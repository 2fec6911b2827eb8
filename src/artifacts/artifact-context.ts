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
  /** Proposes column types with a language model. If undefined, rules propose the types. */
  readonly proposer: TypeProposer | undefined;
  readonly maxBytes: number;
  readonly reportError: (error: unknown, requestId: string) => void;
}

export interface ArtifactContext extends WorkspaceContext {
  readonly artifacts: ArtifactServices;
  /** Counts this request against the rate limit of uploads, at most once. Throws TOO_MANY_REQUESTS. */
  countUpload(): Promise<void>;
}
