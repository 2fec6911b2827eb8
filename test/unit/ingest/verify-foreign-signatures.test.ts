import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { SAMPLE_BODY, type Sender, type SignedDelivery, TAP_URL } from '../../support/ingest/sender-builder.js';
import { ARRIVAL_MS, verifyDelivery } from '../../support/ingest/verify-delivery.js';
import { aSenderStrategy, signerOf } from '../../support/ingest/webhook-senders.js';

describe('signatures of the Standard Webhooks package', () => {
  it('are accepted only with the right secret', () => {
    const [{ strategy, config }, body] = [signerOf('Standard Webhooks by a secret'), '{"text":"Grüße"}'];
    const sent = (secret: string): SignedDelivery => ({
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(ARRIVAL_MS / 1_000),
        'webhook-signature': new Webhook(secret).sign('msg_1', new Date(ARRIVAL_MS), body),
      },
      body: Buffer.from(body),
      url: TAP_URL,
    });
    expect(verifyDelivery({ strategy, config }, sent(config.key as string))).toMatchObject({ signedId: 'msg_1' });
    const another = `whsec_${Buffer.alloc(24).toString('base64')}`;
    expect(verifyDelivery({ strategy, config }, sent(another))).toBeUndefined();
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
    expect(verifyDelivery(sender, delivery)).toEqual({ isSigned: true });
    expect(verifyDelivery(sender, { ...delivery, body: Buffer.from('{}') })).toBeUndefined();
  }
});

function pemOf({ publicKey }: { publicKey: KeyObject }): string {
  return publicKey.export({ format: 'pem', type: 'spki' }) as string;
}
