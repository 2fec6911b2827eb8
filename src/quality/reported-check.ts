import type { Lean } from '../kernel/reading.js';
import { refuse } from './column-knowledge.js';
import { type CheckStatus, COMPARE, missOf } from './quality-check.js';
import { hasSensitiveKey } from './sensitive-values.js';
import { keyOf } from './series-key.js';
import type { TableContract } from './table-contract.js';
import type { CheckEvidence, CheckResult } from './table-quality-result.js';
import type { RunCheckInput, RunEvidenceInput } from './table-run.inputs.js';

/** Characters, and how many, that are kept of evidence. */
const MESSAGE = 500;
const KEYS = { most: 10, characters: 256 };
const VALUES = { most: 5, characters: 64 };

type Privacy = Pick<Lean<TableContract>, 'sensitiveColumns' | 'primaryKey'>;

/** A check of a job as it is kept. Throws BAD_REQUEST where its status cannot be told, or contradicts its numbers. */
export function reportedCheck(place: string, check: RunCheckInput, privacy: Privacy): CheckResult {
  const { id, description, gate, column, comparator, observed, threshold, evidence } = check;
  const shown = evidence && shownEvidence(evidence, column, privacy);
  const key = keyOf(id, column);
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
  const missed = missOf(gate);
  const given = status === 'FAIL' ? missed : status;
  if (comparator == null || observed == null || threshold == null)
    return given ?? refuse(`${place}.status`, 'is needed unless comparator, observed and threshold are all given');
  const computed = COMPARE[comparator](observed, threshold) ? 'PASS' : missed;
  if (given != null && given !== computed) refuse(`${place}.status`, `contradicts the numbers, which say ${computed}`);
  return computed;
}

/** Nothing of the values of sensitive columns: a job may have put them into any of its texts, and a check that names no column may be about these. */
function shownEvidence(
  { message, runOverRunDelta, sampleKeys, topViolatingValues }: RunEvidenceInput,
  column: string | null | undefined,
  privacy: Privacy,
): CheckEvidence {
  const { sensitiveColumns } = privacy;
  const isSensitive = column != null && sensitiveColumns.includes(column);
  const hidesValues = column == null ? sensitiveColumns.length > 0 : isSensitive;
  const hidesKeys = hidesValues || hasSensitiveKey(privacy);
  return {
    ...(message && !isSensitive && { message: cut(message, MESSAGE) }),
    ...(runOverRunDelta != null && { runOverRunDelta }),
    ...(sampleKeys && !hidesKeys && { sampleKeys: cutAll(sampleKeys, KEYS) }),
    ...(topViolatingValues && !hidesValues && { topViolatingValues: cutAll(topViolatingValues, VALUES) }),
  };
}

function cutAll(texts: readonly string[], { most, characters }: typeof KEYS): string[] {
  return texts.slice(0, most).map((text) => cut(text, characters));
}

/** By characters, so that none is cut in two. */
function cut(text: string, characters: number): string {
  return text.length <= characters ? text : [...text].slice(0, characters).join('');
}
