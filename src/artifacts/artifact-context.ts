import type { CsvWorkers } from '../csv/csv-workers.js';
import type { FileStore } from '../kernel/file-store.js';
import type { Jobs } from '../kernel/jobs.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import type { InferenceTurns } from './inference-turns.js';
import type { TypeProposer } from './model-proposer.js';

/** What files need beyond a request. */
export interface ArtifactParts {
  readonly store: FileStore;
  readonly csv: CsvWorkers;
  readonly inferences: InferenceTurns;
  readonly jobs: Jobs;
  /** A language model that proposes types; without one the rules do. */
  readonly proposer: TypeProposer | undefined;
  /** Bytes that a file may have. */
  readonly maxBytes: number;
  /** Told what a client is not. */
  readonly report: (error: unknown, requestId: string) => void;
}

export interface ArtifactContext extends WorkspaceContext {
  readonly artifacts: ArtifactParts;
  /** Counts the upload of this request, once. Throws TOO_MANY_REQUESTS where the caller uploads too often. */
  countUpload(): Promise<void>;
}
