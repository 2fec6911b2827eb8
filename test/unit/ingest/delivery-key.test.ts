import { describe, expect, it } from 'vitest';
import { identifyDelivery } from '../../../src/ingest/senders/delivery-key.js';
import type { VerifiedSender } from '../../../src/ingest/senders/verify-sender.js';
import { aSenderStrategy } from '../../support/ingest/webhook-senders.js';

const NOW = 1_800_000_000_000;
const DAY = 86_400;
const body = Buffer.from('{}');
const at = (seconds: number) => new Date(NOW + seconds * 1_000);

function keptSeconds(verified: VerifiedSender, replayWindowSeconds: number, headers: string[] = []): number {
  const strategy = aSenderStrategy({ verificationType: 'hmac_sha256', replayWindowSeconds });
  return (identifyDelivery(verified, strategy, { headers, body }, NOW).keptUntil.getTime() - NOW) / 1_000;
}

describe('the identity of a delivery is kept', () => {
  it('until its signature expires, even if it was signed ahead of time', () => {
    expect(keptSeconds({ isSigned: true, signedId: 'a', signedAt: at(60) }, 10)).toBeGreaterThan(60 + 10);
    expect(keptSeconds({ isSigned: true, signedAt: at(55.5) }, 10)).toBeGreaterThan(55.5 + 10);
  });

  it('for at least twice the replay window', () => {
    expect(keptSeconds({ isSigned: true, signedAt: at(-299) }, 300)).toBe(600);
    expect(keptSeconds({ isSigned: false }, 300)).toBe(600);
  });

  it('for a day if its signature does not expire or it has an Idempotency-Key', () => {
    expect(keptSeconds({ isSigned: true, signedId: 'a' }, 300)).toBe(DAY);
    expect(keptSeconds({ isSigned: true }, 300)).toBe(DAY);
    expect(keptSeconds({ isSigned: false }, 300, ['Idempotency-Key', 'k'])).toBe(DAY);
  });
});
