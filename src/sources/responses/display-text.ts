const MAX_DISPLAY_LENGTH = 200;

/**
 * The search for secrets includes more than the displayed text, so that it finds a secret that truncation would split.
 */
const MAX_SEARCHED_LENGTH = 2_000;

/** The search ignores shorter secrets, because too many texts contain them by chance. */
const MIN_SECRET_LENGTH = 6;

/** Any part of a secret with this length counts as the secret, because vendors truncate the values that they echo. */
const FRAGMENT_LENGTH = 16;

/**
 * Returns text of a vendor on one line of at most 200 characters. Returns undefined for a value that is blank or
 * contains a secret. Also returns undefined for lists, objects, booleans and null.
 */
export function displayTextOf(value: unknown, secrets: readonly string[]): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const searched = String(value).slice(0, MAX_SEARCHED_LENGTH);
  if (containsSecret(searched, secrets)) return undefined;
  // Control characters could affect a terminal or the text direction.
  const line = searched.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, MAX_DISPLAY_LENGTH).join('') || undefined;
}

/** Also finds long parts of a secret, and a secret in a common encoding. */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  const compact = text.replace(/\s+/g, '');
  return secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap(encodingsOf)
    .some((encoding) => text.includes(encoding) || sharesFragment(compact, encoding.replace(/\s+/g, '')));
}

/**
 * The base64 of a secret inside a longer text depends on the offset of the secret modulo 3. For each offset, `aligned`
 * contains the characters that do not depend on the surrounding text.
 */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const aligned = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return whole.slice(shift && shift + 1, (bytes.length + shift) % 3 ? -1 : undefined);
  });
  const hex = bytes.toString('hex');
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    encoded,
    encoded.replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    ...aligned,
    ...aligned.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
  ];
}

function sharesFragment(text: string, secret: string): boolean {
  if (secret.length <= FRAGMENT_LENGTH) return secret.length >= MIN_SECRET_LENGTH && text.includes(secret);
  for (let at = 0; at + FRAGMENT_LENGTH <= text.length; at++) {
    if (secret.includes(text.slice(at, at + FRAGMENT_LENGTH))) return true;
  }
  return false;
}
