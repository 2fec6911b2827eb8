import { decodeId } from '../../kernel/ids.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { TableQualityResult } from './table-quality-result.js';

/** Excludes results that an external job reported, because that job may use a run id of the service. */
const OWN_MEASURED_RESULTS = 'contract_id = $1 and not is_reported and measures is not null';

/** Ignores results of the run `runId`. */
export function findLatestMeasured(
  read: Reader,
  contractId: string,
  runId = '',
): Promise<Lean<TableQualityResult> | undefined> {
  return findNewest(read, `${OWN_MEASURED_RESULTS} and run_id <> $2`, contractId, runId);
}

export function findMeasuredBefore(
  read: Reader,
  contractId: string,
  runId: string,
): Promise<Lean<TableQualityResult> | undefined> {
  const first = `select min(captured_at) from table_quality_result where ${OWN_MEASURED_RESULTS} and run_id = $2`;
  return findNewest(read, `${OWN_MEASURED_RESULTS} and captured_at < (${first})`, contractId, runId);
}

export async function hasMeasuredResult(read: Reader, contractId: string, runId: string): Promise<boolean> {
  const values = [decodeId(contractId), runId];
  return (await read.count(TableQualityResult, `${OWN_MEASURED_RESULTS} and run_id = $2`, values)) > 0;
}

async function findNewest(
  read: Reader,
  where: string,
  contractId: string,
  runId: string,
): Promise<Lean<TableQualityResult> | undefined> {
  return (await read.select(TableQualityResult, { where, limit: 1 }, [decodeId(contractId), runId]))[0];
}
