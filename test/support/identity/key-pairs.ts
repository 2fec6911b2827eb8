import { createCipheriv, generateKeyPairSync, type KeyObject, pbkdf2Sync, randomBytes } from 'node:crypto';

export interface KeyPair {
  /** PKCS #8, the usual format of vendor keys. */
  readonly pem: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const PAIRS = {
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'rsa-1024': () => generateKeyPairSync('rsa', { modulusLength: 1024 }),
  'rsa-pss': () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  secp256k1: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  ed25519: () => generateKeyPairSync('ed25519'),
  x25519: () => generateKeyPairSync('x25519'),
};

export function aKeyPair(kind: keyof typeof PAIRS = 'P-256'): KeyPair {
  const { privateKey, publicKey } = PAIRS[kind]();
  return { privateKey, publicKey, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

const PBES2 = Buffer.from('06092a864886f70d01050d', 'hex');
const PBKDF2 = Buffer.from('06092a864886f70d01050c', 'hex');
const AES_256_CBC = Buffer.from('060960864801650304012a', 'hex');

/**
 * Encrypted PKCS #8 (RFC 8018). Built by hand, because no library lets its caller choose the number of key derivation
 * rounds.
 */
export function encryptedPem({ privateKey }: KeyPair, passphrase: string, rounds: number): string {
  const [salt, iv] = [randomBytes(8), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(passphrase, salt, rounds, 32, 'sha1'), iv);
  const sealed = Buffer.concat([cipher.update(privateKey.export({ type: 'pkcs8', format: 'der' })), cipher.final()]);
  const count = Buffer.from(rounds.toString(16).padStart(8, '0'), 'hex').subarray(1);
  const derivation = sequence(PBKDF2, sequence(tagged(4, salt), tagged(2, count)));
  const algorithm = sequence(PBES2, sequence(derivation, sequence(AES_256_CBC, tagged(4, iv))));
  const body = sequence(algorithm, tagged(4, sealed)).toString('base64');
  return `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${body}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
}

function sequence(...elements: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(elements));
}

/** DER: the tag, the length in as few bytes as possible, and the content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
