import type { StagingArea } from '../tables/staging/staging-area.js';
import type { TableSchema } from '../tables/table-schema.js';
import type { BatchWithRecords } from './pending-batches.js';

/** Batches that are committed to a table in one transaction. */
export interface StagedBatches {
  readonly rows: StagingArea;
  readonly schema: TableSchema;
  readonly batches: string[];
  readonly credentials: Set<string>;
}

export function addBatches(staged: StagedBatches, batches: readonly BatchWithRecords[]): void {
  for (const { id, credentialId } of batches) {
    staged.batches.push(id);
    if (credentialId) staged.credentials.add(credentialId);
  }
}
