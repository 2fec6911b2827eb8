import { createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SenderConfig } from '../../../src/ingest/senders/verify-sender.js';
import { aConfigSchema } from '../../support/catalog/definition-builders.js';
import { SAMPLE_BODY, type Sender, type SignedDelivery, TAP_URL } from '../../support/ingest/sender-builder.js';
import {
  type TamperedDelivery,
  tamperBodies,
  tamperHeaders,
  tamperUrls,
} from '../../support/ingest/tampered-deliveries.js';
import { ARRIVAL_MS, verifyDelivery, verifyTampered } from '../../support/ingest/verify-delivery.js';
import {
  aSenderStrategy,
  rawPublicKey,
  SIGNERS,
  signerOf,
  withOtherKey,
} from '../../support/ingest/webhook-senders.js';

const SECRET = { type: 'string', secret: true };
const named = SIGNERS.map((one) => [one.name, one] as const);
const timed = named.filter(([, { strategy }]) => timeOf(strategy));

describe('a sender that signs', () => {
  it.each(named)('is accepted: %s', (_, sender) => {
    expect(verifyDelivery(sender, sender.send(ARRIVAL_MS))).toMatchObject({ isSigned: true });
  });

  it('is rejected after each of 20,000 alterations of its request, and accepted without them', () => {
    let count = 0;
    for (const sender of SIGNERS) {
      const passed: string[] = [];
      for (const altered of alterations(sender)) {
        count++;
        if (verifyTampered(sender, altered)) passed.push(altered.how);
      }
      expect([sender.name, passed]).toEqual([sender.name, []]);
      expect(verifyDelivery(sender, sender.send(ARRIVAL_MS))).toBeDefined();
    }
    expect(count).toBeGreaterThan(20_000);
  });

  it.each(named)('is rejected with another key: %s', (_, sender) => {
    const other = sender.send(ARRIVAL_MS, { config: withOtherKey(sender) });
    expect(verifyDelivery(sender, other)).toBeUndefined();
    expect(verifyDelivery({ ...sender, config: withOtherKey(sender) }, other)).toBeDefined();
    expect(verifyDelivery({ ...sender, config: {} }, sender.send(ARRIVAL_MS))).toBeUndefined();
  });

  it.each(named)('is rejected if the strategy requires another algorithm: %s', (_, sender) => {
    const types = [
      'hmac_sha1',
      'hmac_sha256',
      'hmac_sha512',
      'ed25519',
      'ecdsa_p256_sha256',
      'standard_webhooks',
    ] as const;
    for (const verificationType of types) {
      if (verificationType === sender.strategy.verificationType) continue;
      const strategy = { ...sender.strategy, verificationType };
      expect(verifyDelivery({ ...sender, strategy }, sender.send(ARRIVAL_MS))).toBeUndefined();
    }
  });

  it.each(timed)('is accepted only within the replay window: %s', (_, sender) => {
    const open = sender.strategy.replayWindowSeconds ?? 300;
    const from = (seconds: number) => verifyDelivery(sender, sender.send(ARRIVAL_MS + seconds * 1_000));
    for (const seconds of [-open, -1, 0, 1, 60])
      expect(from(seconds)).toMatchObject({ signedAt: new Date(ARRIVAL_MS + seconds * 1_000) });
    for (const seconds of [-open - 1, 61, -86_400, 86_400 * 365]) expect(from(seconds)).toBeUndefined();
  });

  it.each(timed)('is rejected with a signed timestamp in another notation: %s', (_, sender) => {
    const right = timeOf(sender.strategy)?.(ARRIVAL_MS) as string;
    expect(verifyDelivery(sender, sender.send(ARRIVAL_MS, { timestamp: right }))).toBeDefined();
    const iso = new Date(ARRIVAL_MS).toISOString();
    const others = [
      ...[
        `+${right}`,
        `0${right}`,
        ` ${right}`,
        `${right} `,
        `${right}.0`,
        `${right}e0`,
        `${right}\t`,
        '',
        '-1',
        '0',
        'NaN',
        'Infinity',
      ],
      ...[
        iso.replace('T', ' '),
        iso.slice(0, 10),
        iso.replace('Z', ''),
        iso.replace('Z', 'z'),
        iso.replace('03-01', '02-29'),
        '2026-03-01T24:00:00Z',
      ],
      ...[
        new Date(ARRIVAL_MS).toUTCString(),
        `0x${(ARRIVAL_MS / 1_000).toString(16)}`,
        '1_772_366_400',
        '１７７２３６６４００',
      ],
    ].filter((text) => text !== right);
    for (const timestamp of others)
      expect([timestamp, verifyDelivery(sender, sender.send(ARRIVAL_MS, { timestamp }))]).toEqual([
        timestamp,
        undefined,
      ]);
  });

  it('is identified by the signed id', () => {
    const ids = SIGNERS.map((sender) => verifyDelivery(sender, sender.send(ARRIVAL_MS))?.signedId).filter(Boolean);
    expect(ids).toEqual(['msg_1', 'delivery-1', 'msg_2a', 'msg_1']);
  });

  it('is rejected with a full stop in the id, which could shift part of the body into the signed prefix', () => {
    const standard = signerOf('Standard Webhooks by a secret');
    const time = String(ARRIVAL_MS / 1_000);
    const signed = standard.send(ARRIVAL_MS, { body: Buffer.from(`${time}.{"id":1}`) });
    expect(verifyDelivery(standard, signed)).toBeDefined();
    const headers = { ...signed.headers, 'webhook-id': `${signed.headers['webhook-id']}.${time}` };
    expect(verifyDelivery(standard, { ...signed, headers, body: Buffer.from('{"id":1}') })).toBeUndefined();
  });

  it('is verified over the raw bytes of the body', () => {
    const [github, asText] = [signerOf('GitHub'), Buffer.from(SAMPLE_BODY.toString())];
    expect(asText.equals(SAMPLE_BODY)).toBe(false);
    expect(verifyDelivery(github, { ...github.send(ARRIVAL_MS), body: asText })).toBeUndefined();
    expect(verifyDelivery(github, { ...github.send(ARRIVAL_MS, { body: asText }), body: SAMPLE_BODY })).toBeUndefined();
  });

  it('is accepted with an empty body', () => {
    for (const sender of SIGNERS)
      expect(verifyDelivery(sender, sender.send(ARRIVAL_MS, { body: Buffer.alloc(0) }))).toBeDefined();
  });
});

describe('several signatures in one header', () => {
  const stripe = signerOf('Stripe');
  const standard = signerOf('Standard Webhooks by a secret');
  const signatureOf = (delivery: SignedDelivery, name: string): string => delivery.headers[name] as string;
  const withHeader = (delivery: SignedDelivery, name: string, text: string): SignedDelivery => ({
    ...delivery,
    headers: { ...delivery.headers, [name]: text },
  });

  it('are verified separately: Stripe, during a rotation and with its test scheme', () => {
    const delivery = stripe.send(ARRIVAL_MS);
    const [time, v1] = signatureOf(delivery, 'Stripe-Signature').split(',') as [string, string];
    const wrong = `v1=${'0'.repeat(64)}`;
    const sent = (text: string) => verifyDelivery(stripe, withHeader(delivery, 'Stripe-Signature', text));
    for (const text of [`${time},${wrong},${v1}`, `${time},${v1},${wrong}`, `${time},${v1},v0=${'0'.repeat(64)}`])
      expect(sent(text)).toBeDefined();
    const refused = [
      `${time},${v1},${time}`,
      `${time},v0=${v1.slice(3)}`,
      `${time},${v1},v1=`,
      `${time},${v1},,`,
      `${time},${Array(9).fill(v1)}`,
    ];
    for (const text of refused) expect([text, sent(text)]).toEqual([text, undefined]);
  });

  it('are verified separately: PagerDuty, during a rotation', () => {
    const pagerduty = signerOf('PagerDuty');
    const delivery = pagerduty.send(ARRIVAL_MS);
    const v1 = signatureOf(delivery, 'X-PagerDuty-Signature');
    const wrong = `v1=${'0'.repeat(64)}`;
    const sent = (text: string) => verifyDelivery(pagerduty, withHeader(delivery, 'X-PagerDuty-Signature', text));
    for (const text of [`${wrong},${v1}`, `${v1},${wrong}`, `v2=${'0'.repeat(64)},${v1}`])
      expect(sent(text)).toBeDefined();
    for (const text of [wrong, `v2=${v1.slice(3)}`, `${v1},v1=`, `${v1},,`, `${v1}, ${wrong}`, `${Array(9).fill(v1)}`])
      expect([text, sent(text)]).toEqual([text, undefined]);
  });

  it('are verified separately: Standard Webhooks, in known versions', () => {
    const delivery = standard.send(ARRIVAL_MS);
    const v1 = signatureOf(delivery, 'webhook-signature');
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
    const sent = (text: string) => verifyDelivery(standard, withHeader(delivery, 'webhook-signature', text));
    for (const text of [`${wrong} ${v1}`, `v2,${v1.slice(3)} ${v1}`, `v1a,${v1.slice(3)} ${v1}`])
      expect(sent(text)).toBeDefined();
    for (const text of [
      `v2,${v1.slice(3)}`,
      `v1a,${v1.slice(3)}`,
      `${wrong}  ${v1}`,
      `${wrong},${v1}`,
      `x ${v1}`,
      Array(9).fill(v1).join(' '),
    ])
      expect([text, sent(text)]).toEqual([text, undefined]);
  });
});

describe('keys', () => {
  const strategy = aSenderStrategy({
    ...{ verificationType: 'hmac_sha256' },
    configSchema: aConfigSchema({
      a: SECRET,
      b: SECRET,
      c: SECRET,
      d: SECRET,
      verifyToken: SECRET,
      open: { type: 'string' },
    }),
  });
  const signedWith = (key: string): SignedDelivery => ({
    ...{
      headers: { 'X-Signature': createHmac('sha256', key).update(SAMPLE_BODY).digest('hex') },
      body: SAMPLE_BODY,
      url: TAP_URL,
    },
  });
  const config = { a: 'one', b: 'two', c: 'three', d: 'four', verifyToken: 'five', open: 'six' };

  it('number up to three at a time, so that a secret can be rotated without downtime', () => {
    for (const key of ['one', 'two', 'three'])
      expect(verifyDelivery({ strategy, config }, signedWith(key))).toBeDefined();
  });

  it('exclude a fourth secret, the verify token, non-secret fields, empty strings and missing values', () => {
    for (const key of ['four', 'five', 'six', '', 'undefined', 'null'])
      expect(verifyDelivery({ strategy, config }, signedWith(key))).toBeUndefined();
    for (const none of [{}, { a: '' }, { a: null }, { a: undefined }] as SenderConfig[])
      for (const key of ['', 'null', 'undefined'])
        expect(verifyDelivery({ strategy, config: none }, signedWith(key))).toBeUndefined();
  });

  it('that are public do not verify an HMAC, neither by their text nor by their bytes', () => {
    const publicKey = rawPublicKey(generateKeyPairSync('ed25519'));
    for (const key of [publicKey.toString('hex'), `whpk_${publicKey.toString('base64')}`, publicKey]) {
      const text = typeof key === 'string' ? key : publicKey.toString('base64');
      const mac = (base: string) => createHmac('sha256', key).update(base).update(SAMPLE_BODY).digest();
      for (const verificationType of ['ed25519', 'ecdsa_p256_sha256'] as const)
        expect(
          verifyDelivery(
            { strategy: aSenderStrategy({ verificationType }), config: { key: text } },
            { ...signedWith(''), headers: { 'X-Signature': mac('').toString('hex') } },
          ),
        ).toBeUndefined();
      const standard = signerOf('Standard Webhooks by a public key');
      const { headers } = standard.send(ARRIVAL_MS);
      const forged = `v1,${mac(`msg_1.${ARRIVAL_MS / 1_000}.`).toString('base64')}`;
      const forgery = { ...signedWith(''), headers: { ...headers, 'webhook-signature': forged } };
      expect(verifyDelivery({ ...standard, config: { key: text } }, forgery)).toBeUndefined();
    }
  });
});

function* alterations(sender: Sender): Generator<TamperedDelivery> {
  const delivery = sender.send(ARRIVAL_MS);
  yield* tamperBodies(delivery);
  yield* tamperHeaders(delivery);
  if (sender.strategy.signatureBase?.includes('{url}')) yield* tamperUrls(delivery);
}

/** Returns undefined if the sender signs no timestamp. */
function timeOf(strategy: Sender['strategy']): ((at: number) => string) | undefined {
  const { verificationType, signatureBase = '', signatureFormat = {} } = strategy;
  if (verificationType !== 'standard_webhooks' && !signatureBase?.includes('{timestamp}')) return undefined;
  const units = {
    seconds: (at: number) => `${at / 1_000}`,
    milliseconds: (at: number) => `${at}`,
    iso8601: (at: number) => new Date(at).toISOString(),
  };
  return units[signatureFormat?.timestampUnit ?? 'seconds'];
}
