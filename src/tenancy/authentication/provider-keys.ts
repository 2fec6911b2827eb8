import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { OutboundClient } from '../../kernel/outbound/outbound-client.js';

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/** Minimum time between two fetches for unknown key ids, and between a failed fetch and the next fetch. */
const COOLDOWN_MS = 5_000;

const MAX_DOCUMENT_BYTES = 256 * 1024;
const FETCH_TIMEOUT_MS = 5_000;

/**
 * Fetches the keys on first use, and again when a token has an unknown key id. Without `jwksUrl`, reads the URL from
 * the provider's discovery document.
 */
export function createProviderKeys(
  issuer: string,
  jwksUrl: string | undefined,
  outbound: OutboundClient,
): JWTVerifyGetKey {
  const fetchDocument = async (url: string): Promise<Response> => {
    const { status, body } = await outbound.request(url, { maxBytes: MAX_DOCUMENT_BYTES, timeoutMs: FETCH_TIMEOUT_MS });
    if (status !== 200) throw new Error(`${url} returned ${status}`);
    return new Response(new Uint8Array(body));
  };
  const fetchKeys = async (url: string): Promise<Response> => {
    const keys = (await (await fetchDocument(url)).json()) as JSONWebKeySet;
    createLocalJWKSet(keys); // Throws if the document has no keys, so that the fetch fails.
    return Response.json(keys);
  };
  const hold = holdAfterFailure();
  const keysAt = (url: string): RemoteKeys =>
    createRemoteJWKSet(new URL(url), {
      cooldownDuration: COOLDOWN_MS,
      timeoutDuration: FETCH_TIMEOUT_MS * 2,
      [customFetch]: (address: string) => hold(() => fetchKeys(address)),
    });
  const discoveredKeys = async (): Promise<RemoteKeys> => {
    const keys = keysAt(await hold(() => discoverJwksUrl(issuer, fetchDocument)));
    await keys.reload(); // The URL is cached only after a fetch from it has returned keys.
    return keys;
  };
  let keys: Promise<RemoteKeys> | undefined = jwksUrl ? Promise.resolve(keysAt(jwksUrl)) : undefined;
  return async (header, token) => {
    keys ??= discoveredKeys();
    keys.catch(() => (keys = undefined)); // After a failed discovery, the next token starts a new discovery.
    return (await keys)(header, token);
  };
}

/**
 * During the cooldown after a failed fetch, repeats its error instead of fetching again, because any client can send
 * unknown key ids.
 */
function holdAfterFailure(): <Value>(fetch: () => Promise<Value>) => Promise<Value> {
  let failure: { error: unknown; at: number } | undefined;
  return async (fetch) => {
    if (failure && Date.now() - failure.at < COOLDOWN_MS) throw failure.error;
    return fetch().catch((error: unknown) => {
      failure = { error, at: Date.now() };
      throw error;
    });
  };
}

/** The `issuer` of the document must equal the requested issuer (OpenID Connect Discovery 1.0, section 4.3). */
async function discoverJwksUrl(issuer: string, fetchDocument: (url: string) => Promise<Response>): Promise<string> {
  const response = await fetchDocument(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown } | null;
  if (document?.issuer !== issuer || typeof document.jwks_uri !== 'string' || !URL.canParse(document.jwks_uri))
    throw new Error(`the discovery document of ${issuer} names a different issuer or has no jwks_uri`);
  return document.jwks_uri;
}
