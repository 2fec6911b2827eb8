import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { AppError } from '../kernel/errors.js';
import type { Outbound } from '../kernel/outbound.js';
import { spellAddress } from './spell-address.js';

/** What is known of somebody who brings a valid token. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | undefined;
  /** Only one that the issuer has verified, as addresses are spelled here. */
  readonly email: string | undefined;
  /** The issuer saw more than one factor (`amr`, RFC 8176). */
  readonly strong: boolean;
}

/** Whose tokens are taken. There is one issuer at a time. */
export interface Issuer {
  readonly name: string;
  readonly audience: string;
  readonly keys: JWTVerifyGetKey;
}

/** Signatures by a private key alone: what a public key can verify, it must not be able to make. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Seconds by which clocks may differ. */
const CLOCK_TOLERANCE = 30;

/** Verifies an access token (RFC 9068). UNAUTHENTICATED where it is not good, UNAVAILABLE where its issuer's keys are not to be had. */
export async function verifyAccessToken(token: string, { name, audience, keys }: Issuer): Promise<Identity> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: name,
      audience,
      typ: 'at+jwt',
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return identityOf(payload);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!isAboutToken(error))
      throw new AppError('UNAVAILABLE', 'The keys of the identity provider cannot be fetched.', { cause: error });
    throw new AppError('UNAUTHENTICATED', 'The bearer token is not valid.', { cause: error });
  }
}

/** jose's own classes are about the token, but for those of the key set itself. */
function isAboutToken(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return error instanceof TypeError;
  return !(
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === 'ERR_JOSE_GENERIC'
  );
}

function identityOf({ iss, sub, name, email, email_verified: verified, amr }: JWTPayload): Identity {
  const subject = textOf(sub);
  const address = textOf(email);
  if (!subject) throw new AppError('UNAUTHENTICATED', 'The bearer token is not valid.'); // for jose it is just there
  return {
    issuer: iss as string,
    subject,
    name: textOf(name),
    email: address && verified === true ? spellAddress(address) : undefined,
    strong: Array.isArray(amr) && amr.includes('mfa'),
  };
}

/** A text that PostgreSQL can store and that says something. */
function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && !claim.includes('\0') ? claim : undefined;
}

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/** Milliseconds between two fetches of the keys because of a key id that is not known. */
const COOLDOWN = 5_000;

const MAX_DOCUMENT = 256 * 1024;
const FETCH_TIMEOUT = 5_000;

/**
 * The keys of an OpenID provider, fetched through the guarded client when they are needed, and again when a token names a
 * key that is not among them. Where `jwksUrl` is left out, the provider's discovery document names it.
 */
export function providerKeys(issuer: string, jwksUrl: string | undefined, outbound: Outbound): JWTVerifyGetKey {
  const fetchDocument = async (url: string): Promise<Response> => {
    const { status, body } = await outbound.request(url, { maxBytes: MAX_DOCUMENT, timeout: FETCH_TIMEOUT });
    if (status !== 200) throw new Error(`${url} answers ${status}`);
    return new Response(new Uint8Array(body));
  };
  const keysAt = (url: string): RemoteKeys =>
    createRemoteJWKSet(new URL(url), {
      cooldownDuration: COOLDOWN,
      timeoutDuration: FETCH_TIMEOUT * 2,
      [customFetch]: (address: string) => fetchDocument(address),
    });
  const discoveredKeys = async (): Promise<RemoteKeys> => {
    const keys = keysAt(await discover(issuer, fetchDocument));
    await keys.reload(); // an address is remembered only once there were keys at it
    return keys;
  };
  let keys: Promise<RemoteKeys> | undefined = jwksUrl ? Promise.resolve(keysAt(jwksUrl)) : undefined;
  return async (header, token) => {
    keys ??= discoveredKeys();
    keys.catch(() => (keys = undefined)); // so that the next token tries again
    return (await keys)(header, token);
  };
}

/** OpenID Connect Discovery 1.0, section 4: the document must name the very issuer that was asked. */
async function discover(issuer: string, fetchDocument: (url: string) => Promise<Response>): Promise<string> {
  const response = await fetchDocument(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown } | null;
  if (document?.issuer !== issuer || typeof document.jwks_uri !== 'string' || !URL.canParse(document.jwks_uri))
    throw new Error(`the discovery document of ${issuer} is not its own or names no keys`);
  return document.jwks_uri;
}
