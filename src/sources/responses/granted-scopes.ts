import { displayTextOf } from './display-text.js';
import type { TestOutcome } from './test-outcome.js';

/** Scopes that request a kind of token, not a permission. Few vendors list them among the granted scopes. */
const PSEUDO_SCOPES = /^(openid|offline_access|refresh_token)$|\/\.default$/;

const MAX_SCOPES = 500;

/** Returns undefined unless the value is a list or a string. */
export function parseScopes(value: unknown, separator = ' '): string[] | undefined {
  const list = typeof value === 'string' ? value.split(separator.trim() || /\s+/) : value;
  if (!Array.isArray(list)) return undefined;
  const scopes = list.filter((scope) => typeof scope === 'string').map((scope) => scope.trim());
  return [...new Set(scopes)].filter(Boolean).slice(0, MAX_SCOPES);
}

/** Returns an empty object if the source did not return the granted scopes. */
export function scopeDetailsOf(
  granted: readonly string[] | undefined,
  { requested, secrets }: { requested: readonly string[]; secrets: readonly string[] },
): Pick<TestOutcome, 'grantedScopes' | 'missingScopes'> {
  if (!granted) return {};
  const grantedScopes = granted.flatMap((scope) => displayTextOf(scope, secrets) ?? []);
  return { grantedScopes, missingScopes: missingScopes(requested, granted) };
}

/** A pseudo scope counts as missing only if the vendor lists another pseudo scope. */
function missingScopes(requested: readonly string[], granted: readonly string[]): string[] {
  const listed = granted.some((scope) => PSEUDO_SCOPES.test(scope));
  return requested.filter((scope) => !granted.includes(scope) && (listed || !PSEUDO_SCOPES.test(scope)));
}
