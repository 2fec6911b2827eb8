import { randomUUID } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { fillTemplate, templateVariables } from '../../catalog/template-variables.js';
import { optionalField, requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { resolveAddressVariable } from '../resolve-address-variable.js';
import { tokenEndpointOf } from '../source-address.js';
import { readPrivateKey } from './private-key.js';

const LIFETIME_SECONDS = 60;
/** The source's clock may be behind by up to this time. */
const CLOCK_SKEW_SECONDS = 5;

export interface AssertionOptions {
  /** Signing key: the client secret (HS256), or the private key with its matching algorithm. */
  readonly by: 'clientSecret' | 'privateKey';
  /** Overrides RS256, for sources that require another algorithm for RSA keys. */
  readonly rsaAlgorithm?: 'PS256';
  readonly header?: Readonly<Record<string, string>>;
}

/** The source may accept the assertion only once (RFC 7523, section 3), so each call needs a new assertion. */
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
 * Throws `ConnectionConfigError` if a config field in the audience has no pattern or enum. With such a field, a
 * customer could obtain an assertion for a different server and use it there (audience injection).
 */
export function audienceOf(connection: Connection): string {
  const { audienceParam, tokenEndpoint } = connection.strategy.oauth2Config ?? {};
  for (const name of templateVariables(audienceParam || tokenEndpoint || '')) {
    if (!resolveAddressVariable(connection, undefined, name).constrained) {
      throw new ConnectionConfigError(name, 'a field without a pattern or enum cannot be part of the audience.');
    }
  }
  if (!audienceParam) return tokenEndpointOf(connection);
  return fillTemplate(audienceParam, (name) => resolveAddressVariable(connection, undefined, name).text);
}

function clientSecretOf(connection: Connection): { key: Uint8Array; alg: string } {
  return { key: Buffer.from(requiredField(connection, 'clientSecret')), alg: 'HS256' };
}
