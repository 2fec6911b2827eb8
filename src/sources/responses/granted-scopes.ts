import { displayTextOf } from './display-text.js';
import type { TestOutcome } from './test-outcome.js';

/** They ask for a token of a kind, and few vendors list them among what they granted. */
const PSEUDO_SCOPES = /^(openid|offline_access|refresh_token)$|\/\.default$/;

const MAX_SCOPES = 500;

/** Scopes as vendors write them: a list, or one text with separators. Undefined where it is neither. */
export function parseScopes(value: unknown, separator = ' '): string[] | undefined {
  const list = typeof value === 'string' ? value.split(separator.trim() || /\s+/) : value;
  if (!Array.isArray(list)) return undefined;
  const scopes = list.filter((scope) => typeof scope === 'string').map((scope) => scope.trim());
  return [...new Set(scopes)].filter(Boolean).slice(0, MAX_SCOPES);
}

/** What a finding says about scopes, which is nothing where nobody said what was granted. */
export function scopeDetailsOf(
  granted: readonly string[] | undefined,
  { requested, secrets }: { requested: readonly string[]; secrets: readonly string[] },
): Pick<TestOutcome, 'grantedScopes' | 'missingScopes'> {
  if (!granted) return {};
  const grantedScopes = granted.flatMap((scope) => displayTextOf(scope, secrets) ?? []);
  return { grantedScopes, missingScopes: missingScopes(requested, granted) };
}

/** What was asked for and not granted. A pseudo scope counts only with a vendor that lists one. */
function missingScopes(requested: readonly string[], granted: readonly string[]): string[] {
  const listed = granted.some((scope) => PSEUDO_SCOPES.test(scope));
  return requested.filter((scope) => !granted.includes(scope) && (listed || !PSEUDO_SCOPES.test(scope)));
}
