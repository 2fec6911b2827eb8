import type { Lean } from '../../kernel/reading/reader.js';
import { rejectField } from '../contracts/known-columns.js';
import { type CheckStatus, COMPARISONS, failureStatusOf } from '../contracts/quality-check.js';
import { hasSensitiveKey } from '../contracts/sensitive-columns.js';
import { keyWithColumn } from '../contracts/series-key.js';
import type { TableContract } from '../contracts/table-contract.js';
import type { CheckEvidence, CheckResult } from '../results/table-quality-result.js';
import type { RunCheckInput, RunEvidenceInput } from './table-run.inputs.js';

/** The service truncates evidence that exceeds these limits. */
const MAX_MESSAGE_LENGTH = 500;
const KEY_LIMITS = { items: 10, characters: 256 };
const VALUE_LIMITS = { items: 5, characters: 64 };

type Privacy = Pick<Lean<TableContract>, 'sensitiveColumns' | 'primaryKey'>;

/**
 * Throws BAD_REQUEST if the status contradicts `comparator`, `observed` and `threshold`. A check without one of these
 * three fields must have a status.
 */
export function toReportedCheck(place: string, check: RunCheckInput, privacy: Privacy): CheckResult {
  const { id, description, gate, column, comparator, observed, threshold, evidence } = check;
  const redacted = evidence && redactEvidence(evidence, column, privacy);
  const key = keyWithColumn(id, column);
  return {
    spec: { id: key, description, gate },
    ...(column != null && { column }),
    status: statusOf(place, check),
    ...(comparator != null && { comparator }),
    ...(observed != null && { observed }),
    ...(threshold != null && { threshold }),
    ...(redacted && Object.keys(redacted).length > 0 && { evidence: redacted }),
    key,
  };
}

function statusOf(place: string, { gate, comparator, observed, threshold, status }: RunCheckInput): CheckStatus {
  const failed = failureStatusOf(gate);
  const given = status === 'FAIL' ? failed : status;
  if (comparator == null || observed == null || threshold == null)
    return given ?? rejectField(`${place}.status`, 'is required unless comparator, observed and threshold are all set');
  const computed = COMPARISONS[comparator](observed, threshold) ? 'PASS' : failed;
  if (given != null && given !== computed)
    rejectField(`${place}.status`, `must be ${computed}, which follows from comparator, observed and threshold`);
  return computed;
}

/**
 * For a sensitive column, removes the message, the keys and the values. A check without a column may concern any
 * column. If the contract has sensitive columns, the function therefore removes the keys and values of such a check. If
 * the primary key is sensitive, removes the keys of all checks.
 */
function redactEvidence(
  { message, runOverRunDelta, sampleKeys, topViolatingValues }: RunEvidenceInput,
  column: string | null | undefined,
  privacy: Privacy,
): CheckEvidence {
  const { sensitiveColumns } = privacy;
  const isSensitive = column != null && sensitiveColumns.includes(column);
  const hidesValues = column == null ? sensitiveColumns.length > 0 : isSensitive;
  const hidesKeys = hidesValues || hasSensitiveKey(privacy);
  return {
    ...(message && !isSensitive && { message: truncate(message, MAX_MESSAGE_LENGTH) }),
    ...(runOverRunDelta != null && { runOverRunDelta }),
    ...(sampleKeys && !hidesKeys && { sampleKeys: truncateList(sampleKeys, KEY_LIMITS) }),
    ...(topViolatingValues && !hidesValues && { topViolatingValues: truncateList(topViolatingValues, VALUE_LIMITS) }),
  };
}

function truncateList(texts: readonly string[], { items, characters }: typeof KEY_LIMITS): string[] {
  return texts.slice(0, items).map((text) => truncate(text, characters));
}

/** Truncates by code points, because a cut inside a surrogate pair would make the text invalid. */
function truncate(text: string, characters: number): string {
  return text.length <= characters ? text : [...text].slice(0, characters).join('');
}
