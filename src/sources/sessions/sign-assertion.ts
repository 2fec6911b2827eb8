import { randomUUID } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { fillTemplate, templateVariables } from '../../catalog/template-variables.js';
import { optionalField, requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { resolveAddressVariable } from '../resolve-address-variable.js';
import { tokenEndpointOf } from '../source-address.js';
import { readPrivateKey } from './private-key.js';

/** Seconds that an assertion is good for. */
const LIFETIME_SECONDS = 60;
/** Seconds that the clock of the source may be behind ours. */
const CLOCK_SKEW_SECONDS = 5;

export interface AssertionOptions {
  /** The key that signs: the client's secret (HS256), or the private key, by the algorithm that fits it. */
  readonly by: 'clientSecret' | 'privateKey';
  /** For sources that insist on another algorithm for an RSA key. */
  readonly rsaAlgorithm?: 'PS256';
  /** Further parameters of the JOSE header. */
  readonly header?: Readonly<Record<string, string>>;
}

/** A JWT that is good once and for a minute (RFC 7523, section 3). `kid` is the field `keyId`, where there is one. */
export async function signAssertion(
  connection: Connection,
  claims: JWTPayload,
  { by, rsaAlgorithm, header }: AssertionOptions,
): Promise<string> {
  const { key, alg } = by === 'clientSecret' ? clientSecretOf(connection) : readPrivateKey(connection);
  const now = Math.floor(Date.now() / 1_000);
  const payload = { jti: randomUUID(), iat: now - CLOCK_SKEW_SECONDS, exp: now + LIFETIME_SECONDS, ...claims };
  const kid = optionalField(connection, 'keyId');
  const protectedHeader = { typ: 'JWT', ...header, alg: (alg === 'RS256' && rsaAlgorithm) || alg, ...(kid && { kid }) };
  return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key);
}

/**
 * Whom an assertion is for: `audienceParam`, else the token endpoint as it stands in the catalog. A customer may have a part
 * in it by fields alone whose schema says what is good, since an assertion for another server than its own could be used
 * there (audience injection).
 */
export function audienceOf(connection: Connection): string {
  const { audienceParam, tokenEndpoint } = connection.strategy.oauth2Config ?? {};
  for (const name of templateVariables(audienceParam || tokenEndpoint || '')) {
    if (!resolveAddressVariable(connection, undefined, name).constrained) {
      throw new ConnectionConfigError(
        name,
        'a field without a pattern or list of values cannot be part of an audience.',
      );
    }
  }
  if (!audienceParam) return tokenEndpointOf(connection);
  return fillTemplate(audienceParam, (name) => resolveAddressVariable(connection, undefined, name).text);
}

function clientSecretOf(connection: Connection): { key: Uint8Array; alg: string } {
  return { key: Buffer.from(requiredField(connection, 'clientSecret')), alg: 'HS256' };
}
