import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ConnectionConfigError } from '../../../src/sources/connection-config-error.js';
import { audienceOf, signAssertion } from '../../../src/sources/sessions/sign-assertion.js';
import { aKeyPair, encryptedPem } from '../../support/identity/key-pairs.js';
import { aConnection } from '../../support/sources/source-connection.js';

function sign(config: Record<string, string>): Promise<string> {
  return signAssertion(aConnection({ config }), { iss: 'a' }, { by: 'privateKey' });
}

describe('an assertion', () => {
  it.each([
    ['rsa', 'RS256'],
    ['P-256', 'ES256'],
    ['P-384', 'ES384'],
    ['ed25519', 'EdDSA'],
  ] as const)('is signed with a key of the kind %s by %s', async (kind, alg) => {
    const { pem, publicKey } = aKeyPair(kind);
    await jwtVerify(await sign({ privateKey: pem }), publicKey, { algorithms: [alg] });
  });

  it('is signed with keys in every PEM format, including encrypted keys', async () => {
    const { privateKey, publicKey } = aKeyPair('rsa');
    const pkcs1 = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
    const encrypted = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' } as const;
    const sealed = privateKey.export({ ...encrypted, type: 'pkcs8' }) as string;
    const traditional = privateKey.export({ ...encrypted, type: 'pkcs1' }) as string;
    const spellings: Record<string, string>[] = [
      { privateKey: pkcs1 },
      { privateKey: pkcs1.replaceAll('\n', '\\n') },
      { privateKey: pkcs1.replaceAll('\n', '\r\n') },
      { privateKey: sealed, privateKeyPassphrase: 'open' },
      { privateKey: `\n${traditional.replaceAll('\n', '\r\n')}`, privateKeyPassphrase: 'open' },
    ];
    for (const config of spellings) await jwtVerify(await sign(config), publicKey);
  });

  it('expires after a minute, is new each time, and contains its key id', async () => {
    const config = { privateKey: aKeyPair().pem, keyId: 'k-1' };
    const before = Math.floor(Date.now() / 1_000);
    const [one, two] = [await sign(config), await sign(config)].map((token) => decodeJwt(token));
    const after = Date.now() / 1_000;
    expect(one?.iat).toBeGreaterThanOrEqual(before - 5);
    expect(one?.iat).toBeLessThanOrEqual(after - 5);
    expect(Number(one?.exp) - Number(one?.iat)).toBe(65);
    expect(one?.jti).not.toBe(two?.jti);
    expect(decodeProtectedHeader(await sign(config))).toEqual({ alg: 'ES256', kid: 'k-1', typ: 'JWT' });
  });

  it('rejects keys that are malformed, too small, too large or of an unsupported type', async () => {
    const { privateKey, publicKey } = aKeyPair('rsa');
    const sealed = privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    }) as string;
    const broken = [
      'canary',
      '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----',
      publicKey.export({ type: 'spki', format: 'pem' }) as string,
      sealed,
      aKeyPair('rsa-1024').pem,
      aKeyPair('rsa-pss').pem,
      aKeyPair('secp256k1').pem,
      aKeyPair('x25519').pem,
      aKeyPair().pem + '\n'.repeat(40_000),
    ];
    for (const text of broken) {
      const error = await sign({ privateKey: text }).catch((thrown) => thrown);
      expect(error).toMatchObject({ name: 'ConnectionConfigError', field: 'privateKey' });
      expect(error.message).not.toContain('canary');
    }
    await expect(sign({ privateKey: sealed, privateKeyPassphrase: 'y' })).rejects.toThrow(ConnectionConfigError);
  });
});

describe('an encrypted key', () => {
  const MOST = 100_000;
  const pair = aKeyPair();
  const open = (privateKey: string) => sign({ privateKey, privateKeyPassphrase: 'open' });
  const tooLong = encryptedPem(pair, 'open', MOST + 1);

  it.each(['rsa', 'P-256', 'ed25519'] as const)(
    'of type %s is decrypted with the maximum iteration count',
    async (kind) => {
      const other = aKeyPair(kind);
      await jwtVerify(await open(encryptedPem(other, 'open', MOST)), other.publicKey);
    },
  );

  it.each([
    ['with one more iteration', tooLong],
    ['with the label of a plain key', tooLong.replaceAll('ENCRYPTED PRIVATE', 'PRIVATE')],
    [
      'with that label, and the word encrypted elsewhere',
      `ENCRYPTED\n${tooLong.replaceAll('ENCRYPTED PRIVATE', 'PRIVATE')}`,
    ],
    ['before a valid one', tooLong + encryptedPem(pair, 'open', 1_000)],
    ['after a valid one', encryptedPem(pair, 'open', 1_000) + tooLong],
  ])('is not decrypted %s, because it would block the event loop', async (_, pem) => {
    await expect(open(pem)).rejects.toMatchObject({ name: 'ConnectionConfigError', field: 'privateKey' });
  });

  it('needs no passphrase if it is not encrypted', async () => {
    await jwtVerify(await open(pair.pem), pair.publicKey);
  });
});

describe('the audience of an assertion', () => {
  const audience = (oauth2Config: object, field: object = {}) =>
    audienceOf(
      aConnection({
        strategy: {
          oauth2Config,
          configSchema: { type: 'object', properties: { host: { type: 'string', ...field } } },
        },
        config: { host: 'login.acme.test' },
      }),
    );

  it('is audienceParam, or else the unnormalized token endpoint', () => {
    expect(audience({ audienceParam: 'tableau', tokenEndpoint: 'https://a.test/t' })).toBe('tableau');
    expect(audience({ tokenEndpoint: 'https://a.test/T//x?y' })).toBe('https://a.test/T//x?y');
    expect(audience({ audienceParam: '', tokenEndpoint: 'https://a.test' })).toBe('https://a.test');
  });

  it.each([{ audienceParam: 'https://{host}' }, { tokenEndpoint: 'https://{host}' }])(
    'contains only config fields with a pattern or enum: %j',
    (config) => {
      expect(() => audience(config)).toThrow(ConnectionConfigError);
      expect(audience(config, { enum: ['login.acme.test'] })).toBe('https://login.acme.test');
      expect(audience(config, { pattern: '\\.acme\\.test$' })).toBe('https://login.acme.test');
      expect(() => audience(config, { enum: ['other.test'] })).toThrow(ConnectionConfigError);
    },
  );
});
