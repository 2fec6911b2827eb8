import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../bench/support/seeded-random.js';
import { newIngestToken, parseIngestToken } from '../../../src/ingest/ingest-token-text.js';
import { BASE62, encodeBase62 } from '../../../src/kernel/base62.js';
import { seed } from '../../support/catalog/definition-builders.js';
import { atScale } from '../../support/soak.js';

const random = seededRandom(seed);
const madeUp = (): string => `wit_${Array.from({ length: 49 }, () => BASE62[Math.floor(random() * 62)]).join('')}`;

describe('an ingest token', () => {
  it('has 53 URL-safe characters and parses to its hash', () => {
    for (let nth = 0; nth < 1_000; nth++) {
      const { token, hash, prefix } = newIngestToken();
      expect(token).toMatch(/^wit_[0-9A-Za-z]{49}$/);
      expect([parseIngestToken(token), prefix]).toEqual([hash, token.slice(0, 12)]);
      expect(hash).toBe(createHash('sha256').update(token).digest('hex'));
    }
  });

  it('is rejected by its checksum if it is invented or mistyped', () => {
    const texts = Array.from({ length: atScale(20_000, 1_000_000) }, madeUp);
    expect({ seed, taken: texts.filter((text) => parseIngestToken(text) !== undefined) }).toEqual({ seed, taken: [] });
  });
});

describe('a number in base62', () => {
  it.each([
    [0n, 3, '000'],
    [61n, 1, 'z'],
    [62n, 2, '10'],
    [2n ** 32n - 1n, 6, '4gfFC3'],
    [2n ** 256n - 1n, 43, expect.stringMatching(/^[0-9A-Za-z]{43}$/)],
  ])('encodes %s in %s digits as %s', (value, length, text) => {
    expect(encodeBase62(value, length)).toEqual(text);
  });

  it('preserves all 256 bits', () => {
    const read = (text: string): bigint =>
      [...text].reduce((sum, digit) => sum * 62n + BigInt(BASE62.indexOf(digit)), 0n);
    expect(read(encodeBase62(2n ** 256n - 1n, 43))).toBe(2n ** 256n - 1n);
  });
});
