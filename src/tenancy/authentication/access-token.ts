import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { AppError } from '../../kernel/errors.js';
import { normalizeEmail } from '../members/email-address.js';

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | undefined;
  /** Normalized email address; undefined unless the issuer has verified it. */
  readonly email: string | undefined;
  /** Not validated. */
  readonly locale: string | undefined;
  /** Not validated. */
  readonly timezone: string | undefined;
  /** Whether the user signed in with more than one factor (`amr`, RFC 8176). */
  readonly isMultiFactor: boolean;
}

export interface TokenIssuer {
  readonly name: string;
  readonly audience: string;
  readonly keys: JWTVerifyGetKey;
}

/** Only asymmetric algorithms. With HMAC, any holder of the published key could sign tokens. */
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

const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * RFC 9068. Throws UNAUTHENTICATED if the token is invalid, and UNAVAILABLE if the service cannot fetch the issuer's
 * keys.
 */
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
      throw new AppError(
        'UNAVAILABLE',
        'The service cannot fetch the signing keys of the identity provider. Try again shortly.',
        {
          cause: error,
        },
      );
    throw new AppError('UNAUTHENTICATED', 'The bearer token is not valid.', { cause: error });
  }
}

/**
 * A `TypeError` or an error of jose means that the token is invalid, unless jose failed to fetch or parse the key set.
 */
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
  // jose only checks that `sub` is present.
  if (!subject) throw new AppError('UNAUTHENTICATED', 'The bearer token is not valid.');
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

/** Returns undefined unless the claim is a nonempty string that PostgreSQL can store. */
function storableText(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && !claim.includes('\0') ? claim : undefined;
}
