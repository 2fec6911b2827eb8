import type { Lean } from '../../kernel/reading/reader.js';
import { rejectField } from '../contracts/known-columns.js';
import { type CheckStatus, COMPARISONS, failureStatusOf } from '../contracts/quality-check.js';
import { hasSensitiveKey } from '../contracts/sensitive-columns.js';
import { keyWithColumn } from '../contracts/series-key.js';
import type { TableContract } from '../contracts/table-contract.js';
import type { CheckEvidence, CheckResult } from '../results/table-quality-result.js';
import type { RunCheckInput, RunEvidenceInput } from './table-run.inputs.js';

/** Characters, and how many, that are kept of evidence. */
const MAX_MESSAGE_LENGTH = 500;
const KEY_LIMITS = { most: 10, characters: 256 };
const VALUE_LIMITS = { most: 5, characters: 64 };

type Privacy = Pick<Lean<TableContract>, 'sensitiveColumns' | 'primaryKey'>;

/** A check of a job as it is kept. Throws BAD_REQUEST where its status cannot be told, or contradicts its numbers. */
export function toReportedCheck(place: string, check: RunCheckInput, privacy: Privacy): CheckResult {
  const { id, description, gate, column, comparator, observed, threshold, evidence } = check;
  const shown = evidence && redactEvidence(evidence, column, privacy);
  const key = keyWithColumn(id, column);
  return {
    spec: { id: key, description, gate },
    ...(column != null && { column }),
    status: statusOf(place, check),
    ...(comparator != null && { comparator }),
    ...(observed != null && { observed }),
    ...(threshold != null && { threshold }),
    ...(shown && Object.keys(shown).length > 0 && { evidence: shown }),
    key,
  };
}

function statusOf(place: string, { gate, comparator, observed, threshold, status }: RunCheckInput): CheckStatus {
  const missed = failureStatusOf(gate);
  const given = status === 'FAIL' ? missed : status;
  if (comparator == null || observed == null || threshold == null)
    return given ?? rejectField(`${place}.status`, 'is needed unless comparator, observed and threshold are all given');
  const computed = COMPARISONS[comparator](observed, threshold) ? 'PASS' : missed;
  if (given != null && given !== computed)
    rejectField(`${place}.status`, `contradicts the numbers, which say ${computed}`);
  return computed;
}

/** Nothing of the values of sensitive columns: a job may have put them into any of its texts, and a check that names no column may be about these. */
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
    ...(message && !isSensitive && { message: cutToLength(message, MAX_MESSAGE_LENGTH) }),
    ...(runOverRunDelta != null && { runOverRunDelta }),
    ...(sampleKeys && !hidesKeys && { sampleKeys: cutEach(sampleKeys, KEY_LIMITS) }),
    ...(topViolatingValues && !hidesValues && { topViolatingValues: cutEach(topViolatingValues, VALUE_LIMITS) }),
  };
}

function cutEach(texts: readonly string[], { most, characters }: typeof KEY_LIMITS): string[] {
  return texts.slice(0, most).map((text) => cutToLength(text, characters));
}

/** By characters, so that none is cut in two. */
function cutToLength(text: string, characters: number): string {
  return text.length <= characters ? text : [...text].slice(0, characters).join('');
}
