import { createPrivateKey } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { normalizeEmail } from '../members/email-address.js';
import type { TokenIssuer } from './access-token.js';

/** For development only: a person who can read the key in the data folder can sign in as any user. */
const ISSUER_NAME = 'urn:taproot:local';
const AUDIENCE = 'taproot';
const ALGORITHM = 'EdDSA';
const TOKEN_LIFETIME = '12h';

/** The message contains the name of the invalid file and tells the operator what to do. */
export class LocalKeyError extends Error {
  override readonly name = 'LocalKeyError';
}

/** Throws `LocalKeyError`. */
export async function createLocalIssuer(dataDir: string): Promise<TokenIssuer> {
  const { d: _private, ...publicKey } = await readSigningKey(dataDir);
  return { name: ISSUER_NAME, audience: AUDIENCE, keys: createLocalJWKSet({ keys: [publicKey] }) };
}

export function localIdentityOf(email: string): { issuer: string; subject: string } {
  return { issuer: ISSUER_NAME, subject: normalizeEmail(email) };
}

/** Throws `LocalKeyError`. */
export async function issueLocalToken(dataDir: string, email: string): Promise<string> {
  const key = await readSigningKey(dataDir);
  const { issuer, subject } = localIdentityOf(email);
  return new SignJWT({ email: subject, email_verified: true, client_id: 'taproot-cli' })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: key.kid as string })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setJti(crypto.randomUUID())
    .setExpirationTime(TOKEN_LIFETIME)
    .sign(await importJWK(key, ALGORITHM));
}

/** If several processes start at the same time, all of them use the key of the process that creates the file first. */
async function readSigningKey(dataDir: string): Promise<JWK> {
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
    throw new LocalKeyError(
      `${file} is not a valid key file. If you delete the file, the service generates a new key, and all tokens that were signed with the old key become invalid`,
    );
  }
}
