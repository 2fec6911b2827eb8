/** Longest text of a vendor that is shown, in characters. */
const MAX_DISPLAY_LENGTH = 200;

/** Of a text this much is searched for secrets: more than is shown, so that none is cut in two first. */
const MAX_SEARCHED_LENGTH = 2_000;

/** What is shorter would be found in half of all names. */
const MIN_SECRET_LENGTH = 6;

/** Of a long secret a part is one as well: vendors cut what they echo. */
const FRAGMENT_LENGTH = 16;

/** What a vendor names, on one line of 200 characters at most; undefined where it is no name or holds a secret. */
export function displayTextOf(value: unknown, secrets: readonly string[]): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const searched = String(value).slice(0, MAX_SEARCHED_LENGTH);
  if (containsSecret(searched, secrets)) return undefined;
  // Other characters steer a terminal or the direction of a line, or are none.
  const line = searched.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, MAX_DISPLAY_LENGTH).join('') || undefined;
}

/** Whether a text holds one of the secrets, or a telling part of one, raw or in a spelling that vendors and proxies use. */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  const compact = text.replace(/\s+/g, '');
  return secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap(encodingsOf)
    .some((spelling) => text.includes(spelling) || sharesFragment(compact, spelling.replace(/\s+/g, '')));
}

/** Base64 of a text inside of another one depends on where it begins there: what is left is the same for every neighbour. */
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
