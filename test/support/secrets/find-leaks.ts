import { textFinder } from './text-finder.js';

export function secretEncodingsOf(secret: string): string[] {
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
  readonly offset: number;
}

/**
 * Returns a function that searches a text for the secrets in all encodings. The function returns the first offset of
 * each found encoding. Throws for secrets under 6 characters, because they could occur by chance.
 */
export function leakFinder(secrets: readonly string[]): (text: string | Uint8Array) => Leak[] {
  const wanted = secrets.flatMap((secret) => {
    if (secret.length < 6) throw new Error(`a secret of ${secret.length} characters is too short to search for`);
    return secretEncodingsOf(secret).map((spelling) => ({ secret, spelling, needle: Buffer.from(spelling) }));
  });
  const find = textFinder(wanted.map(({ needle }) => needle));
  return (text) => {
    const offsets = find(Buffer.from(text as Uint8Array));
    return wanted.flatMap(({ secret, spelling }, at) => {
      const offset = offsets.get(at);
      return offset === undefined ? [] : [{ secret, spelling, offset }];
    });
  };
}

export function findLeaks(text: string | Uint8Array, secrets: readonly string[]): Leak[] {
  return leakFinder(secrets)(text);
}

/** Encodes the secret as if it followed `place` other bytes. Omits the characters that depend on adjacent bytes. */
function base64At(secret: string, place: number, encoding: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(place), Buffer.from(secret)]);
  const whole = Math.floor((bytes.length * 8) / 6);
  const first = Math.ceil((place * 8) / 6);
  return bytes.toString(encoding).slice(first, whole);
}

function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
