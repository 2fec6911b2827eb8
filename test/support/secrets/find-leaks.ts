/** All encodings of a secret that would still reveal it, to search for in output. */
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
  /** Offset of the first byte. */
  readonly offset: number;
}

/**
 * Finds all secrets in the text, with the first offset of each encoding. Throws for secrets under 6 characters, which
 * could occur by chance.
 */
export function findLeaks(text: string | Uint8Array, secrets: readonly string[]): Leak[] {
  const bytes = Buffer.from(text as Uint8Array);
  const wanted = secrets.flatMap((secret) => {
    if (secret.length < 6) throw new Error(`a secret of ${secret.length} characters is too short to search for`);
    return secretEncodingsOf(secret).map((spelling) => ({ secret, spelling, needle: Buffer.from(spelling) }));
  });
  const offsets = firstPlaces(
    bytes,
    wanted.map(({ needle }) => needle),
  );
  return wanted.flatMap(({ secret, spelling }, at) => {
    const offset = offsets[at] as number;
    return offset < 0 ? [] : [{ secret, spelling, offset }];
  });
}

/** The first offset of each needle (at least 4 bytes), or -1. One pass over the dump for hundreds of needles. */
function firstPlaces(bytes: Buffer, needles: readonly Buffer[]): number[] {
  const places = needles.map(() => -1);
  const beginnings = new Map<number, number[]>();
  for (const [at, needle] of needles.entries()) {
    const hash = hashOf(needle.readInt32BE(0));
    beginnings.set(hash, [...(beginnings.get(hash) ?? []), at]);
  }
  const isBeginning = new Uint8Array(2 ** 16);
  for (const hash of beginnings.keys()) isBeginning[hash] = 1;

  let lastFour = 0;
  for (let end = 1; end <= bytes.length; end++) {
    lastFour = (lastFour << 8) | (bytes[end - 1] as number);
    const hash = hashOf(lastFour);
    if (!isBeginning[hash] || end < 4) continue;
    for (const at of beginnings.get(hash) as number[]) {
      const needle = needles[at] as Buffer;
      if (places[at] === -1 && bytes.subarray(end - 4, end - 4 + needle.length).equals(needle)) places[at] = end - 4;
    }
  }
  return places;
}

/** Hashes 32 bits to 16. */
function hashOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> 16;
}

/** The base64 of the secret after `place` other bytes, without the characters that depend on adjacent bytes. */
function base64At(secret: string, place: number, encoding: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(place), Buffer.from(secret)]);
  const whole = Math.floor((bytes.length * 8) / 6);
  const first = Math.ceil((place * 8) / 6);
  return bytes.toString(encoding).slice(first, whole);
}

function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
