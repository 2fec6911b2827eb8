import type { CursorExpiry } from '../../catalog/model/tap-sync.js';
import type { ErrorAction, ErrorBodyRule } from '../../catalog/model/transport-option.js';
import { evaluateJmesPath, matchesJmesPath } from '../../kernel/formats/jmespath.js';
import type { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { type FailureKind, failureOf } from './failure-table.js';
import { scalarTextOf } from './field-value.js';

/** Matches error values that report a rate limit instead of an unavailable source. */
const RATE_LIMIT_WORDS = /limit|quota|throttl|too.?many/i;

/** `body` is undefined if the response is not JSON. */
export interface RuleInput {
  readonly status: number;
  readonly body: unknown;
  /** Start of a body that is not JSON. */
  readonly text?: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** Returns the failure according to `onCursorExpired` and `errorBodyRules`. Such rules can also match status 2xx. */
export function failureByDefinition({ tap, option }: TapReading, input: RuleInput): TapReadError | undefined {
  const { status } = input;
  if (tap.sync.onCursorExpired && isExpiry(tap.sync.onCursorExpired, input))
    return failureOf('cursor_expired', { status });
  for (const rule of option.errorBodyRules ?? []) {
    const failure = failureByRule(rule, input);
    if (failure) return failure;
  }
  return undefined;
}

export function skipByStatus({ tap, option }: TapReading, status: number): TapReadError | undefined {
  if (option.skipOnHttpStatus?.includes(status)) return failureOf('skipped_slice', { status });
  return tap.skipOnHttpStatus?.includes(status) ? failureOf('skipped_tap', { status }) : undefined;
}

/** `value` is text of the definition, not of the source, so the message may contain it. */
export function transientFailure(value: string, { status, retryAfterMs }: RuleInput): TapReadError {
  const kind = status === 429 || RATE_LIMIT_WORDS.test(value) ? 'rate_limited' : 'unavailable';
  return failureOf(kind, { message: `The source reports the temporary error ${value}.`, status, retryAfterMs });
}

/**
 * Returns the first text of `listed` that equals the value at `path` or, if this value is a list, one of its elements.
 */
export function listedValueAt(path: string, body: unknown, listed: readonly string[] | null | undefined) {
  const found = body === undefined ? undefined : evaluateJmesPath(path, body);
  const texts = (Array.isArray(found) ? found : [found]).map(scalarTextOf);
  return listed?.find((value) => texts.includes(value));
}

const BY_ACTION: Readonly<Record<ErrorAction, FailureKind>> = {
  retry: 'unavailable',
  wait: 'rate_limited',
  refresh_session: 'session_expired',
  reset_paging: 'paging_reset',
  skip: 'skipped_slice',
  skip_tap: 'skipped_tap',
  fail: 'rejected_by_rule',
};

function failureByRule(rule: ErrorBodyRule, input: RuleInput): TapReadError | undefined {
  if ((rule.statusCode ?? input.status) !== input.status || !isMet(rule, input)) return undefined;
  return (
    (rule.jmesPath == null ? undefined : failureByValue(rule.jmesPath, rule, input)) ?? failureByAction(rule, input)
  );
}

function isMet({ when }: ErrorBodyRule, { body, text }: RuleInput): boolean {
  return when == null || matchesJmesPath(when, body ?? text ?? null);
}

function failureByAction(
  { action, errorClass, message, jmesPath, values }: ErrorBodyRule,
  { status, body, retryAfterMs }: RuleInput,
): TapReadError | undefined {
  if (!action) return undefined;
  if (values && listedValueAt(jmesPath ?? '@', body, values) === undefined) return undefined;
  const kind = action === 'fail' && errorClass === 'credential' ? 'credential_rejected' : BY_ACTION[action];
  const waits = action === 'retry' || action === 'wait';
  return failureOf(kind, { status, errorClass, message: message ?? undefined, ...(waits && { retryAfterMs }) });
}

function failureByValue(path: string, rule: ErrorBodyRule, input: RuleInput): TapReadError | undefined {
  const { status, body } = input;
  const retried = listedValueAt(path, body, rule.retryValues);
  if (retried !== undefined) return transientFailure(retried, input);
  const skipped = listedValueAt(path, body, rule.skipValues);
  if (skipped === undefined) return undefined;
  return failureOf('skipped_slice', {
    status,
    message: `The source reports the error ${skipped} instead of the records.`,
  });
}

function isExpiry({ statusCode, jmesPath, values }: CursorExpiry, { status, body }: RuleInput): boolean {
  if (statusCode !== status) return false;
  return jmesPath == null || listedValueAt(jmesPath, body, values) !== undefined;
}
