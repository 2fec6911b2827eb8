import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { AppError } from '../../kernel/errors.js';
import { normalizeEmail } from '../members/email-address.js';

/** What is known of somebody who brings a valid token. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | undefined;
  /** Only one that the issuer has verified, as addresses are spelled here. */
  readonly email: string | undefined;
  /** As the issuer spells it. */
  readonly locale: string | undefined;
  /** As the issuer spells it. */
  readonly timezone: string | undefined;
  /** The issuer saw more than one factor (`amr`, RFC 8176). */
  readonly isMultiFactor: boolean;
}

/** Whose tokens are taken. There is one issuer at a time. */
export interface TokenIssuer {
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
const CLOCK_TOLERANCE_SECONDS = 30;

/** Verifies an access token (RFC 9068). UNAUTHENTICATED where it is not good, UNAVAILABLE where its issuer's keys are not to be had. */
export async function verifyAccessToken(token: string, { name, audience, keys }: TokenIssuer): Promise<Identity> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: name,
      audience,
      typ: 'at+jwt',
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return identityOf(payload);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!isTokenError(error))
      throw new AppError('UNAVAILABLE', 'The keys of the identity provider cannot be fetched.', { cause: error });
    throw new AppError('UNAUTHENTICATED', 'The bearer token is not valid.', { cause: error });
  }
}

/** jose's own classes are about the token, but for those of the key set itself. */
function isTokenError(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return error instanceof TypeError;
  return !(
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === 'ERR_JOSE_GENERIC'
  );
}

function identityOf({ iss, sub, name, email, email_verified: verified, amr, locale, zoneinfo }: JWTPayload): Identity {
  const subject = storableText(sub);
  const address = storableText(email);
  if (!subject) throw new AppError('UNAUTHENTICATED', 'The bearer token is not valid.'); // for jose it is just there
  return {
    issuer: iss as string,
    subject,
    name: storableText(name),
    email: address && verified === true ? normalizeEmail(address) : undefined,
    locale: storableText(locale),
    timezone: storableText(zoneinfo),
    isMultiFactor: Array.isArray(amr) && amr.includes('mfa'),
  };
}

/** A text that PostgreSQL can store and that says something. */
function storableText(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && !claim.includes('\0') ? claim : undefined;
}
