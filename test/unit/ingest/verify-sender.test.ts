import { spawnSync } from 'node:child_process';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type SenderConfig, verifySender } from '../../../src/ingest/senders/verify-sender.js';
import { aConfigSchema } from '../../support/catalog/definition-builders.js';
import {
  rawHeaders,
  type TamperedDelivery,
  tamperBodies,
  tamperHeaders,
  tamperUrls,
} from '../../support/ingest/tampered-deliveries.js';
import {
  aSenderStrategy,
  rawPublicKey,
  SAMPLE_BODY,
  type Sender,
  SIGNERS,
  type SignedDelivery,
  shippedStrategy,
  TAP_URL,
  withOtherKey,
} from '../../support/ingest/webhook-senders.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SECRET = { type: 'string', secret: true };
const named = SIGNERS.map((one) => [one.name, one] as const);
const timed = named.filter(([, { strategy }]) => timeOf(strategy));
const senderOf = (name: string): Sender => SIGNERS.find((one) => one.name === name) as Sender;

describe('a sender that signs', () => {
  it.each(named)('is accepted: %s', (_, sender) => {
    expect(verified(sender, sender.send(NOW))).toMatchObject({ isSigned: true });
  });

  it('is refused after each of 20,000 alterations of its request, and accepted without them', () => {
    let count = 0;
    for (const sender of SIGNERS) {
      const passed: string[] = [];
      for (const altered of alterations(sender)) {
        count++;
        if (isLetIn(sender, altered)) passed.push(altered.how);
      }
      expect([sender.name, passed]).toEqual([sender.name, []]);
      expect(verified(sender, sender.send(NOW))).toBeDefined();
    }
    expect(count).toBeGreaterThan(20_000);
  });

  it.each(named)('is refused with another key: %s', (_, sender) => {
    const other = sender.send(NOW, { config: withOtherKey(sender) });
    expect(verified(sender, other)).toBeUndefined();
    expect(verified({ ...sender, config: withOtherKey(sender) }, other)).toBeDefined();
    expect(verified({ ...sender, config: {} }, sender.send(NOW))).toBeUndefined();
  });

  it.each(named)('is refused if the strategy requires another algorithm: %s', (_, sender) => {
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
      expect(verified({ ...sender, strategy }, sender.send(NOW))).toBeUndefined();
    }
  });

  it.each(timed)('is accepted only within the replay window: %s', (_, sender) => {
    const open = sender.strategy.replayWindowSeconds ?? 300;
    const from = (seconds: number) => verified(sender, sender.send(NOW + seconds * 1_000));
    for (const seconds of [-open, -1, 0, 1, 60])
      expect(from(seconds)).toMatchObject({ signedAt: new Date(NOW + seconds * 1_000) });
    for (const seconds of [-open - 1, 61, -86_400, 86_400 * 365]) expect(from(seconds)).toBeUndefined();
  });

  it.each(timed)('is refused with a signed timestamp in another notation: %s', (_, sender) => {
    const right = timeOf(sender.strategy)?.(NOW) as string;
    expect(verified(sender, sender.send(NOW, { timestamp: right }))).toBeDefined();
    const iso = new Date(NOW).toISOString();
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
      ...[new Date(NOW).toUTCString(), `0x${(NOW / 1_000).toString(16)}`, '1_772_366_400', '１７７２３６６４００'],
    ].filter((text) => text !== right);
    for (const timestamp of others)
      expect([timestamp, verified(sender, sender.send(NOW, { timestamp }))]).toEqual([timestamp, undefined]);
  });

  it('is identified by the signed id', () => {
    const ids = SIGNERS.map((sender) => verified(sender, sender.send(NOW))?.signedId).filter(Boolean);
    expect(ids).toEqual(['delivery-1', 'msg_2a', 'msg_1']);
  });

  it('is refused with a full stop in the id, which could shift part of the body into the signed prefix', () => {
    const standard = senderOf('Standard Webhooks by a secret');
    const time = String(NOW / 1_000);
    const signed = standard.send(NOW, { body: Buffer.from(`${time}.{"id":1}`) });
    expect(verified(standard, signed)).toBeDefined();
    const headers = { ...signed.headers, 'webhook-id': `${signed.headers['webhook-id']}.${time}` };
    expect(verified(standard, { ...signed, headers, body: Buffer.from('{"id":1}') })).toBeUndefined();
  });

  it('is verified over the raw bytes of the body', () => {
    const [github, asText] = [senderOf('GitHub'), Buffer.from(SAMPLE_BODY.toString())];
    expect(asText.equals(SAMPLE_BODY)).toBe(false);
    expect(verified(github, { ...github.send(NOW), body: asText })).toBeUndefined();
    expect(verified(github, { ...github.send(NOW, { body: asText }), body: SAMPLE_BODY })).toBeUndefined();
  });

  it('is accepted with an empty body', () => {
    for (const sender of SIGNERS) expect(verified(sender, sender.send(NOW, { body: Buffer.alloc(0) }))).toBeDefined();
  });
});

describe('several signatures in one header', () => {
  const stripe = senderOf('Stripe');
  const standard = senderOf('Standard Webhooks by a secret');
  const signatureOf = (delivery: SignedDelivery, name: string): string => delivery.headers[name] as string;
  const withHeader = (delivery: SignedDelivery, name: string, text: string): SignedDelivery => ({
    ...delivery,
    headers: { ...delivery.headers, [name]: text },
  });

  it('are verified separately: Stripe, during a rotation and with its test scheme', () => {
    const delivery = stripe.send(NOW);
    const [time, v1] = signatureOf(delivery, 'Stripe-Signature').split(',') as [string, string];
    const wrong = `v1=${'0'.repeat(64)}`;
    const sent = (text: string) => verified(stripe, withHeader(delivery, 'Stripe-Signature', text));
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

  it('are verified separately: Standard Webhooks, in known versions', () => {
    const delivery = standard.send(NOW);
    const v1 = signatureOf(delivery, 'webhook-signature');
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
    const sent = (text: string) => verified(standard, withHeader(delivery, 'webhook-signature', text));
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

  it('number up to three at once, so that a secret can be rotated without downtime', () => {
    for (const key of ['one', 'two', 'three']) expect(verified({ strategy, config }, signedWith(key))).toBeDefined();
  });

  it('exclude a fourth secret, the verify token, non-secret fields, empty texts and missing values', () => {
    for (const key of ['four', 'five', 'six', '', 'undefined', 'null'])
      expect(verified({ strategy, config }, signedWith(key))).toBeUndefined();
    for (const none of [{}, { a: '' }, { a: null }, { a: undefined }] as SenderConfig[])
      for (const key of ['', 'null', 'undefined'])
        expect(verified({ strategy, config: none }, signedWith(key))).toBeUndefined();
  });

  it('that are public do not verify an HMAC, neither by their text nor by their bytes', () => {
    const publicKey = rawPublicKey(generateKeyPairSync('ed25519'));
    for (const key of [publicKey.toString('hex'), `whpk_${publicKey.toString('base64')}`, publicKey]) {
      const text = typeof key === 'string' ? key : publicKey.toString('base64');
      const mac = (base: string) => createHmac('sha256', key).update(base).update(SAMPLE_BODY).digest();
      for (const verificationType of ['ed25519', 'ecdsa_p256_sha256'] as const)
        expect(
          verified(
            { strategy: aSenderStrategy({ verificationType }), config: { key: text } },
            { ...signedWith(''), headers: { 'X-Signature': mac('').toString('hex') } },
          ),
        ).toBeUndefined();
      const standard = senderOf('Standard Webhooks by a public key');
      const { headers } = standard.send(NOW);
      const forged = `v1,${mac(`msg_1.${NOW / 1_000}.`).toString('base64')}`;
      const forgery = { ...signedWith(''), headers: { ...headers, 'webhook-signature': forged } };
      expect(verified({ ...standard, config: { key: text } }, forgery)).toBeUndefined();
    }
  });
});

describe('a sender that signs nothing', () => {
  const gitlab = { strategy: shippedStrategy('gitlab'), config: { secretToken: 'tökén' } };
  const pipedrive = {
    strategy: shippedStrategy('pipedrive'),
    config: { username: 'taproot', password: 'pass:word ü' },
  };
  const bare = (headers: Record<string, string>): SignedDelivery => ({ headers, body: SAMPLE_BODY, url: TAP_URL });
  const latin1 = (text: string): string => Buffer.from(text).toString('latin1'); // as Node decodes headers

  it('is accepted only with its token', () => {
    const delivery = bare({ 'X-Gitlab-Token': latin1('tökén') });
    expect(verified(gitlab, delivery)).toEqual({ isSigned: false });
    for (const altered of tamperHeaders(delivery))
      expect([altered.how, isLetIn(gitlab, altered)]).toEqual([altered.how, false]);
    expect(verified({ ...gitlab, config: {} }, delivery)).toBeUndefined();
    expect(verified({ ...gitlab, config: { secretToken: '' } }, bare({ 'X-Gitlab-Token': '' }))).toBeUndefined();
  });

  it('is accepted with its token after a prefix', () => {
    const strategy = { ...gitlab.strategy, signatureHeader: 'Authorization', signatureFormat: { prefix: 'Bearer ' } };
    const config = { secretToken: 'token' };
    expect(verified({ strategy, config }, bare({ Authorization: 'Bearer token' }))).toBeDefined();
    for (const text of ['token', 'bearer token', 'Bearer  token', 'Bearer token ', 'Basic token'])
      expect([text, verified({ strategy, config }, bare({ Authorization: text }))]).toEqual([text, undefined]);
  });

  it('is accepted only with its user name and password', () => {
    const basic = (pair: string): SignedDelivery =>
      bare({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    const delivery = basic('taproot:pass:word ü');
    expect(verified(pipedrive, delivery)).toEqual({ isSigned: false });
    for (const altered of tamperHeaders(delivery))
      expect([altered.how, isLetIn(pipedrive, altered)]).toEqual([altered.how, false]);
    for (const pair of ['taproot:', ':pass:word ü', 'taproot', 'pass:word ü:taproot'])
      expect(verified(pipedrive, basic(pair))).toBeUndefined();
    expect(verified({ ...pipedrive, config: { password: 'x' } }, basic(':x'))).toBeUndefined();
    expect(verified({ ...pipedrive, config: { username: 'taproot' } }, basic('taproot:'))).toBeUndefined();
  });

  it('is accepted without credentials if the URL alone authorizes it', () => {
    expect(verified({ strategy: aSenderStrategy({ verificationType: 'none' }), config: {} }, bare({}))).toEqual({
      isSigned: false,
    });
  });
});

describe('signatures of the Standard Webhooks package', () => {
  it('are accepted only with the right secret', () => {
    const [{ strategy, config }, body] = [senderOf('Standard Webhooks by a secret'), '{"text":"Grüße"}'];
    const sent = (secret: string): SignedDelivery => ({
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(NOW / 1_000),
        'webhook-signature': new Webhook(secret).sign('msg_1', new Date(NOW), body),
      },
      body: Buffer.from(body),
      url: TAP_URL,
    });
    expect(verified({ strategy, config }, sent(config.key as string))).toMatchObject({ signedId: 'msg_1' });
    const another = `whsec_${Buffer.alloc(24).toString('base64')}`;
    expect(verified({ strategy, config }, sent(another))).toBeUndefined();
  });
});

describe('signatures of OpenSSL', () => {
  it.each([
    ['hmac_sha1', 'hex'],
    ['hmac_sha256', 'base64'],
    ['hmac_sha512', 'hex'],
  ] as const)('are accepted: %s in %s', (verificationType, encoding) => {
    const strategy = aSenderStrategy({ verificationType, signatureFormat: { encoding } });
    const signature = openssl(['dgst', `-${verificationType.slice(5)}`, '-hmac', 'secret', '-binary']);
    expectSigned({ strategy, config: { key: 'secret' } }, signature.toString(encoding));
  });

  it.each(['ed25519', 'ecdsa_p256_sha256'] as const)(
    'are accepted: %s, with the public key as PEM',
    (verificationType) => {
      const pair =
        verificationType === 'ed25519'
          ? generateKeyPairSync('ed25519')
          : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      const folder = mkdtempSync(join(tmpdir(), 'taproot-keys-'));
      try {
        const [key, data] = [join(folder, 'key.pem'), join(folder, 'body')];
        writeFileSync(key, pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
        writeFileSync(data, SAMPLE_BODY);
        const sign =
          verificationType === 'ed25519'
            ? ['pkeyutl', '-sign', '-rawin', '-inkey', key, '-in', data]
            : ['dgst', '-sha256', '-sign', key, data];
        const strategy = aSenderStrategy({ verificationType, signatureFormat: { encoding: 'base64' } });
        const publicKey = pemOf(pair);
        expectSigned({ strategy, config: { key: publicKey } }, openssl(sign).toString('base64'));
        expectSigned(
          { strategy, config: { key: publicKey.trimEnd().replaceAll('\n', '\\n') } },
          openssl(sign).toString('base64'),
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  function openssl(args: string[]): Buffer {
    const { stdout, status, stderr } = spawnSync('openssl', args, { input: SAMPLE_BODY });
    if (status !== 0) throw new Error(stderr.toString());
    return stdout;
  }

  function expectSigned(sender: Pick<Sender, 'strategy' | 'config'>, signature: string): void {
    const delivery = { headers: { 'X-Signature': signature }, body: SAMPLE_BODY, url: TAP_URL };
    expect(verified(sender, delivery)).toEqual({ isSigned: true });
    expect(verified(sender, { ...delivery, body: Buffer.from('{}') })).toBeUndefined();
  }
});

function pemOf({ publicKey }: { publicKey: KeyObject }): string {
  return publicKey.export({ format: 'pem', type: 'spki' }) as string;
}

function* alterations(sender: Sender): Generator<TamperedDelivery> {
  const delivery = sender.send(NOW);
  yield* tamperBodies(delivery);
  yield* tamperHeaders(delivery);
  if (sender.strategy.signatureBase?.includes('{url}')) yield* tamperUrls(delivery);
}

type Who = { readonly strategy: Sender['strategy']; readonly config: SenderConfig };

function verified({ strategy, config }: Who, { headers, body, url }: SignedDelivery) {
  return verifySender(strategy, config, { headers: rawHeaders(headers), body, url }, NOW);
}

function isLetIn({ strategy, config }: Who, altered: TamperedDelivery): boolean {
  return verifySender(strategy, config, altered, NOW) !== undefined;
}

/** Formats the signed timestamp, if the sender signs one. */
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
