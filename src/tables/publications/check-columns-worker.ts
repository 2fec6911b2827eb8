import { toWorkerResult, type WorkerResult } from '../../csv/worker-result.js';
import { type ColumnsCheckTask, checkColumns } from './check-columns.js';
import type { ArtifactColumnsCheck } from './column-check.js';

export default function runTask(task: ColumnsCheckTask): WorkerResult<ArtifactColumnsCheck> {
  return toWorkerResult(() => checkColumns(task));
}
