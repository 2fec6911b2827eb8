import { createPrivateKey } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import type { Issuer } from './access-token.js';
import { spellAddress } from './spell-address.js';

/** An issuer for development: its key lies in the data folder, and whoever can read that folder can be anybody. */
const NAME = 'urn:taproot:local';
const AUDIENCE = 'taproot';
const ALGORITHM = 'EdDSA';
const LIFETIME = '12h';

/** What is kept as the key is none: its message tells the file, and what to do. */
export class LocalKeyError extends Error {
  override readonly name = 'LocalKeyError';
}

/** Throws `LocalKeyError`. */
export async function localIssuer(dataDir: string): Promise<Issuer> {
  const { d: _private, ...publicKey } = await signingKey(dataDir);
  return { name: NAME, audience: AUDIENCE, keys: createLocalJWKSet({ keys: [publicKey] }) };
}

/** The subject that local tokens for an address have. */
export function localIdentity(email: string): { issuer: string; subject: string } {
  return { issuer: NAME, subject: spellAddress(email) };
}

/** A token of somebody with this address. Throws `LocalKeyError`. */
export async function mintLocalToken(dataDir: string, email: string): Promise<string> {
  const key = await signingKey(dataDir);
  const { issuer, subject } = localIdentity(email);
  return new SignJWT({ email: subject, email_verified: true, client_id: 'taproot-cli' })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: key.kid as string })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setJti(crypto.randomUUID())
    .setExpirationTime(LIFETIME)
    .sign(await importJWK(key, ALGORITHM));
}

/** Made on first use, whole or not at all. Of processes that start together the first one to link the file wins. */
async function signingKey(dataDir: string): Promise<JWK> {
  const file = join(dataDir, 'keys', 'local-issuer.json');
  const read = async (): Promise<JWK> => parseKey(await readFile(file, 'utf8'), file);
  return read().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: ALGORITHM, use: 'sig' };
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, JSON.stringify(jwk), { mode: 0o600 });
    await link(draft, file).catch((taken: NodeJS.ErrnoException) => {
      if (taken.code !== 'EEXIST') throw taken;
    });
    await rm(draft);
    return read();
  });
}

function parseKey(text: string, file: string): JWK {
  try {
    const key = JSON.parse(text);
    createPrivateKey({ key, format: 'jwk' });
    return key;
  } catch {
    throw new LocalKeyError(`${file} holds no key; delete it for a new one, which ends all tokens of the old one`);
  }
}
