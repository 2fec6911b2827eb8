import { ADD_COLUMNS } from '../tables/records/drift.js';
import { evolveSchema } from '../tables/records/stage-records.js';
import type { StagingArea } from '../tables/staging/staging-area.js';
import type { TableSchema } from '../tables/table-schema.js';
import type { WrittenFile } from '../tables/written-file.js';
import type { BatchWithRecords } from './pending-batches.js';

export interface StagedBatches {
  readonly rows: StagingArea;
  readonly schema: TableSchema;
  readonly batches: string[];
  /** UUID of the first batch whose records add a column. */
  readonly firstWithColumns?: string | undefined;
  readonly credentials: Set<string>;
}

export interface WrittenBatches {
  readonly staged: StagedBatches;
  readonly added: readonly WrittenFile[];
}

export function addBatches(staged: StagedBatches, batches: readonly BatchWithRecords[]): void {
  for (const { id, credentialId } of batches) {
    staged.batches.push(id);
    if (credentialId) staged.credentials.add(credentialId);
  }
}

export async function firstBatchWithColumns(
  batches: readonly BatchWithRecords[],
  [before, after]: readonly [before: TableSchema, after: TableSchema],
  recordOf: Parameters<typeof evolveSchema>[3],
): Promise<string | undefined> {
  if (after === before) return undefined;
  for (const batch of batches)
    if ((await evolveSchema([batch], before, ADD_COLUMNS, recordOf)) !== before) return batch.id;
  return undefined;
}
