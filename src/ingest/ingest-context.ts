import type { ConnectionContext } from '../instances/connection-context.js';
import type { TableContext } from '../tables/table-context.js';
import type { AcceptBatches } from './accept-batches.js';
import type { Doors } from './find-door.js';

/** What pushed records need beyond a request, once for a process. */
export interface IngestParts {
  /** Seconds for which a token that was rotated still opens. */
  readonly graceSeconds: number;
  readonly doors: Doors;
  readonly batches: AcceptBatches;
}

export interface IngestContext extends ConnectionContext, TableContext {
  readonly ingest: IngestParts;
}
