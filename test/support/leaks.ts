/** Ways to write a secret that still tell it, in bytes: a search for all of them finds it wherever it got to. */
export function spellings(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  const url = encodeURIComponent(secret);
  return [
    ...new Set([
      ...[secret, secret.replaceAll('\n', '\r\n')],
      ...[
        url,
        url.replaceAll(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
        new URLSearchParams({ secret }).toString().slice(7),
      ],
      ...[hex, hex.toUpperCase()],
      ...[0, 1, 2].flatMap((place) => [base64At(secret, place, 'base64'), base64At(secret, place, 'base64url')]),
      ...[json(secret), json(json(secret))],
    ]),
  ];
}

export interface Leak {
  readonly secret: string;
  readonly spelling: string;
  /** Of the first byte. */
  readonly offset: number;
}

/** Every secret that stands in the text, with the first place of each spelling. Secrets of under 6 characters are refused: chance would find them. */
export function findLeaks(text: string | Uint8Array, secrets: readonly string[]): Leak[] {
  const bytes = Buffer.from(text as Uint8Array);
  return secrets.flatMap((secret) => {
    if (secret.length < 6) throw new Error(`${secret.length} characters are no secret`);
    return spellings(secret).flatMap((spelling) => {
      const offset = bytes.indexOf(spelling);
      return offset < 0 ? [] : [{ secret, spelling, offset }];
    });
  });
}

/** What base64 shows of it behind so many other bytes, without the characters that depend on its neighbours. */
function base64At(secret: string, place: number, encoding: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(place), Buffer.from(secret)]);
  const whole = Math.floor((bytes.length * 8) / 6);
  const first = Math.ceil((place * 8) / 6);
  return bytes.toString(encoding).slice(first, whole);
}

function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
