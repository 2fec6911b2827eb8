import type { ResponseValidation } from '../../catalog/model/response-extraction.js';
import { evaluateJmesPath } from '../../kernel/formats/jmespath.js';
import type { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { failureByDefinition, listedValueAt, type RuleInput, transientFailure } from './definition-rules.js';
import { type FailureKind, failureOf } from './failure-table.js';
import { graphqlFailureOf } from './graphql-errors.js';
import type { ResponseFacts } from './response-facts.js';
import { failureByVerification } from './verification-rules.js';

/** Returns undefined for a success. */
export function reportedFailureOf(
  reading: TapReading,
  input: RuleInput,
  { failures }: ResponseFacts,
): TapReadError | undefined {
  const byDefinition = failureByDefinition(reading, input);
  if (byDefinition) return byDefinition;
  const { status, body, retryAfterMs } = input;
  const validation = reading.tap.responseExtraction.responseValidation ?? {};
  const byCode = reading.option.apiType === 'graphql' ? graphqlFailureOf(body) : undefined;
  if (!byCode && !reportsError(validation, body)) return undefined;
  const { errorField, skippableErrors, transientErrors } = validation;
  if (errorField != null) {
    const transient = listedValueAt(errorField, body, transientErrors);
    if (transient !== undefined) return transientFailure(transient, input);
    const skippable = listedValueAt(errorField, body, skippableErrors);
    if (skippable !== undefined)
      return failureOf('skipped_slice', {
        status,
        message: `The source reports the error ${skippable} instead of the records.`,
      });
  }
  // A rule for status 2xx may check details that only the response to a credential test has. It therefore applies only
  // to responses that report an error.
  const kind: FailureKind = failureByVerification(failures, status, body) ?? byCode ?? 'reported_error';
  return failureOf(kind, { status, retryAfterMs: kind === 'rate_limited' ? retryAfterMs : undefined });
}

function reportsError({ okField, errorField }: ResponseValidation, body: unknown): boolean {
  if (okField != null) return evaluateJmesPath(okField, body) !== true;
  if (errorField == null) return false;
  const error = evaluateJmesPath(errorField, body);
  return error !== null && error !== false && error !== '';
}
