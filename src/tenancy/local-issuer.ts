import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import type { Issuer } from './access-token.js';

/** An issuer for development: its key lies in the data folder, and whoever can read that folder can be anybody. */
const NAME = 'urn:taproot:local';
const AUDIENCE = 'taproot';
const ALGORITHM = 'EdDSA';
const LIFETIME = '12h';

export async function localIssuer(dataDir: string): Promise<Issuer> {
  const { d: _private, ...publicKey } = await signingKey(dataDir);
  return { name: NAME, audience: AUDIENCE, keys: createLocalJWKSet({ keys: [publicKey] }) };
}

/** The subject that local tokens for an address have. */
export function localIdentity(email: string): { issuer: string; subject: string } {
  return { issuer: NAME, subject: email.toLowerCase() };
}

/** A token of somebody with this address. */
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

/** Made on first use. Of processes that start together the first one to create the file wins. */
async function signingKey(dataDir: string): Promise<JWK> {
  const file = join(dataDir, 'keys', 'local-issuer.json');
  const read = async (): Promise<JWK> => JSON.parse(await readFile(file, 'utf8'));
  return read().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: ALGORITHM, use: 'sig' };
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(JSON.stringify(jwk)).finally(() => handle.close());
    } catch (taken) {
      if ((taken as NodeJS.ErrnoException).code !== 'EEXIST') throw taken;
    }
    return read();
  });
}
